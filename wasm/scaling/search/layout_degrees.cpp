// SPDX-License-Identifier: MIT
#include "scaling/search/layout_degrees.hpp"

namespace scaling {

void DegreeValues::pin(double value) {
  items_[0] = value;
  size_ = 1;
  complete_ = true;
}

void DegreeValues::divide(double number, double most) {
  const Divisors divisors(number, most);
  complete_ = divisors.complete();
  size_ = 0;
  for (const double divisor : divisors.items()) {
    if (divisor > most) break;
    items_[size_++] = divisor;
  }
}

void DegreeValues::order_from_middle() {
  if (size_ == 0) return;
  const auto ascending = items_;
  const std::size_t middle = (size_ - 1) / 2;
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t away = (i + 1) / 2;
    items_[i] = ascending[i % 2 == 0 ? middle - away : middle + away];
  }
}

bool LayoutDegrees::next() {
  if (!started_) {
    started_ = true;
    return true;
  }
  for (std::size_t i = at_.size(); i-- > 0;) {
    if (++at_[i] < values_[i].items().size()) return true;
    at_[i] = 0;
  }
  return false;
}

double LayoutDegrees::fraction() const {
  double share = 0;
  for (std::size_t i = kExpert + 1; i-- > 0;) {
    share = (static_cast<double>(at_[i]) + share) / static_cast<double>(values_[i].items().size());
  }
  return share;
}

void LayoutDegrees::set(Layout<double>& layout) const {
  const auto in_hand = [&](Degree degree) {
    return Count<double>(values_[degree].items()[at_[degree]]);
  };
  layout.tensor = in_hand(kTensor);
  layout.expert_tensor = in_hand(kExpertTensor);
  layout.expert = in_hand(kExpert);
  layout.context = in_hand(kContext);
  layout.pipeline = in_hand(kPipeline);
}

}  // namespace scaling
