// SPDX-License-Identifier: MIT
#include "scaling/search/kept_layouts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace scaling {
namespace {

/// Layouts whose times, or bytes, differ by less are told apart by what else they need.
constexpr double kTied = 1.01;

int kinds_of_ways(const CostedLayout& plan) {
  const auto& layout = plan.layout;
  const double ways[] = {layout.tensor.value(),        layout.context.value(),
                         layout.pipeline.value(),      layout.expert.value(),
                         layout.expert_tensor.value(), plan.data_ways};
  return static_cast<int>(
      std::count_if(std::begin(ways), std::end(ways), [](double count) { return count > 1; }));
}

bool divide_alike(const Layout<double>& one, const Layout<double>& other) {
  return one.tensor.value() == other.tensor.value() &&
         one.context.value() == other.context.value() &&
         one.pipeline.value() == other.pipeline.value() &&
         one.expert.value() == other.expert.value() &&
         one.expert_tensor.value() == other.expert_tensor.value();
}

/// Whether `a` is at least as good as `b` in all that a choice among the best goes by.
bool as_good(const CostedLayout& a, const CostedLayout& b) {
  return a.expected <= b.expected && a.memory <= b.memory && kinds_of_ways(a) <= kinds_of_ways(b);
}

}  // namespace

[[gnu::noinline]] CostedLayout::CostedLayout() = default;

double BestLayouts::limit_for(const Layout<double>& layout) const {
  if (size_ == 0) return kUnlimited;
  double limit = size_ == kMost ? best_[kMost - 1].expected : kUnlimited;
  for (const CostedLayout& plan : items()) {
    if (divide_alike(plan.layout, layout)) limit = std::fmin(limit, plan.expected);
  }
  // A layout as fast as the fastest may still be the one to use.
  return std::fmax(limit, std::nextafter(kTied * best_[0].expected, kUnlimited));
}

void BestLayouts::keep(const CostedLayout& plan) {
  keep_best(plan);
  keep_tie(plan);
}

void BestLayouts::keep_best(const CostedLayout& plan) {
  const double seconds = plan.expected;
  if (size_ == kMost && seconds >= best_[kMost - 1].expected) return;
  // One of each way to split: the place of the one that is there, or of the last.
  std::size_t place = size_;
  for (std::size_t i = 0; i < size_; ++i) {
    if (!divide_alike(best_[i].layout, plan.layout)) continue;
    if (best_[i].expected <= seconds) return;
    place = i;
    break;
  }
  if (place == size_) {
    if (size_ < kMost) {
      ++size_;
    } else {
      --place;
    }
  }
  for (; place > 0 && best_[place - 1].expected > seconds; --place) best_[place] = best_[place - 1];
  best_[place] = plan;
}

void BestLayouts::keep_tie(const CostedLayout& plan) {
  const double latest = kTied * best_[0].expected;
  if (plan.expected > latest) return;
  std::size_t kept = 0;
  bool beaten = false;
  for (std::size_t i = 0; i < ties_size_; ++i) {
    const CostedLayout& other = ties_[i];
    beaten = beaten || as_good(other, plan);
    if (other.expected > latest || (!beaten && as_good(plan, other))) continue;
    ties_[kept++] = other;
  }
  ties_size_ = kept;
  if (beaten) return;
  if (ties_size_ < kTies) {
    ties_[ties_size_++] = plan;
    return;
  }
  const auto less = [](const CostedLayout& a, const CostedLayout& b) {
    return a.memory < b.memory;
  };
  CostedLayout& largest = *std::max_element(ties_.begin(), ties_.end(), less);
  if (less(plan, largest)) largest = plan;
}

std::span<const CostedLayout> BestLayouts::chosen() const {
  const auto ties = std::span(ties_).first(ties_size_);
  if (ties.empty()) return items().first(size_ == 0 ? 0 : 1);
  double least = ties[0].memory;
  for (const CostedLayout& plan : ties) least = std::fmin(least, plan.memory);
  const auto better = [](const CostedLayout& a, const CostedLayout& b) {
    if (kinds_of_ways(a) != kinds_of_ways(b)) return kinds_of_ways(a) < kinds_of_ways(b);
    return a.expected != b.expected ? a.expected < b.expected : a.memory < b.memory;
  };
  const CostedLayout* best = nullptr;
  for (const CostedLayout& plan : ties) {
    if (plan.memory > kTied * least) continue;
    if (best == nullptr || better(plan, *best)) best = &plan;
  }
  return {best, 1};
}

std::size_t LayoutFront::above(double memory) const {
  // Sorted by memory, and so by falling time.
  const auto end = bytes_.begin() + static_cast<std::ptrdiff_t>(size_);
  return static_cast<std::size_t>(std::upper_bound(bytes_.begin(), end, memory) - bytes_.begin());
}

bool LayoutFront::is_behind(double memory, double seconds) const {
  const std::size_t after = above(memory);
  return after > 0 && seconds_[after - 1] <= seconds;
}

bool LayoutFront::keep(const CostedLayout& plan) {
  std::size_t place = above(plan.memory);
  if (place > 0 && items_[place - 1].memory == plan.memory) --place;
  std::size_t next = place;
  while (next < size_ && items_[next].expected >= plan.expected) ++next;
  if (next == place) {
    if (size_ == kMost) return false;
    for (std::size_t i = size_++; i > place; --i) items_[i] = items_[i - 1];
  } else {
    // The first that it beats gives its place, the others go.
    const std::size_t gone = next - place - 1;
    for (std::size_t i = next; i < size_; ++i) items_[i - gone] = items_[i];
    size_ -= gone;
  }
  items_[place] = plan;
  for (std::size_t i = place; i < size_; ++i) {
    bytes_[i] = items_[i].memory;
    seconds_[i] = items_[i].expected;
  }
  return true;
}

std::size_t LayoutMap::Axis::find(double value) const {
  const auto values = items();
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

void LayoutMap::Axis::add(double value) {
  if (find(value) == size_ && size_ < kMost) values_[size_++] = value;
}

double LayoutMap::at_values(double x, double y) const {
  const std::size_t column = x_.find(x);
  const std::size_t row = y_.find(y);
  return column == x_.items().size() || row == y_.items().size() ? 0 : at(column, row);
}

bool LayoutMap::keep(double x, double y, double seconds) {
  x_.add(x);
  y_.add(y);
  const std::size_t column = x_.find(x);
  const std::size_t row = y_.find(y);
  if (column == x_.items().size() || row == y_.items().size()) return false;
  double& kept = cells_[row * kMost + column];
  if (kept == 0 || seconds < kept) kept = seconds;
  return true;
}

CostedLayout make_costed(const SearchInput<double>& search, double data_ways,
                         const Step<double>& step, const DroppedShares& dropped) {
  CostedLayout plan;
  plan.layout = search.layout;
  plan.data_ways = data_ways;
  plan.micro_batches = step.micro_batches.value();
  plan.expected = step.expected.value();
  plan.lower = step.lower.value();
  plan.upper = step.upper.value();
  plan.memory = step.memory.total().value();
  plan.allocated = step.memory.allocated().value();
  const StepInput<double> in(search);
  const auto band = memory_band<double>(in, step.memory);
  plan.memory_low = band.low.value();
  plan.memory_high = band.high.value();
  plan.again = shares_again(in, dropped);
  plan.fullest_layers = fullest_layers(in, plan.micro_batches, step.fullest.value());
  plan.bound = step.bound.value();
  plan.next_bound = step.next_bound.value();
  plan.parts = {(step.forward + step.backward).value(),
                step.recompute.value(),
                step.exposed_tensor.value(),
                step.exposed_context.value(),
                step.exposed_expert.value(),
                step.exposed_data.value(),
                step.exposed_pipeline.value(),
                step.bubble.value(),
                step.optimizer.value(),
                step.exposed_host.value(),
                step.launches.value(),
                step.overhead.value()};
  return plan;
}

double map_value(MapField field, const Layout<double>& layout, double data_ways) {
  switch (field) {
    case MapField::kTensor:
      return layout.tensor.value();
    case MapField::kContext:
      return layout.context.value();
    case MapField::kPipeline:
      return layout.pipeline.value();
    case MapField::kExpert:
      return layout.expert.value();
    case MapField::kMicroBatch:
      return layout.micro_batch.value();
    case MapField::kData:
      break;
  }
  return data_ways;
}

}  // namespace scaling
