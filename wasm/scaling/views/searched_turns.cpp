// SPDX-License-Identifier: MIT
#include "scaling/views/searched_turns.hpp"

namespace scaling {

TurnedField turned_field(const SearchedField& field, const ChipCounts& chips, double sequence) {
  const FieldInfo* info = &field.info();
  TurnedField turned{*info};
  if (info == &field_of<Run>("chips") || info == &field_of<Serving>("chips")) turned.chips = &chips;
  if (info == &field_of<Run>("batchTokens")) turned.multiple = sequence;
  turned.doublings = kSearchedDoublings;
  return turned;
}

SearchedTurns::SearchedTurns(const TurnedField& field, const Target& target, double now,
                             double answered)
    : info_(field.info), target_(target), now_(now), choice_(field.info.minimum - 1) {
  if (info_.kind == Kind::kNumber || info_.kind == Kind::kCount) {
    number_.emplace(field, target, now);
    // The first request is the present answer.
    tell(answered);
  } else if (target.is_met_by(answered)) {
    done_ = true;
  } else {
    next_choice();
  }
}

void SearchedTurns::tell(double answered) {
  if (!number_) {
    if (target_.is_met_by(answered)) {
      turns_[size_++] = {{}, Effect::kMeets, choice_, 0, answered};
    }
    next_choice();
    return;
  }
  number_->tell(answered);
  done_ = number_->done();
  if (done_) turns_[size_++] = number_->turn();
}

void SearchedTurns::next_choice() {
  do choice_ += 1;
  while (choice_ == now_);
  done_ = choice_ > info_.maximum || size_ == turns_.size();
}

}  // namespace scaling
