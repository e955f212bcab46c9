// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "scaling/views/target.hpp"

namespace scaling {

/// solve_target for a question whose answers take long, as each is that of the best layout or the
/// best division: it goes on for as long as it is told to, and can be left at any time.
///
/// `Forward` asks the question forward:
/// - `Forward::turns(field)`: whether readers choose this field otherwise
/// - `Forward::searched(field)`: whether its numbers are searched for, each by itself
/// - `Forward::is_chips(field)`, `Forward::slices(typed)`, `Forward::sequence(typed)`
/// - `begin(input, field)`: asks for the answers to an input with that field changed
/// - `advance(count)`: works on it; whether it is answered
/// - `answered(answer)`: NaN where the input is not valid or has no such answer
/// - `add_more(input, target, now, turn)`, if it has one: a turn of what is no field of the
/// question
template <class Question, class Forward>
class TargetSearch {
 public:
  using Input = typename Question::Input;
  static constexpr std::size_t kMostTurns = 64;
  /// Doublings and halvings that are looked at where each takes a search.
  static constexpr int kDoublings = 6;

  /// `input` is divided as it is now, `asked` as it is to be asked again: what searches choose is
  /// open in it.
  TargetSearch(const Input& input, const Input& asked, const Target& target, Forward& forward)
      : input_(asked), target_(target), forward_(forward) {
    Issues notices;
    Input checked = input;
    check<Question>(checked, solved_.issues, notices, [&](const auto& typed) {
      const auto answers = Question::answer(typed);
      solved_.absence = answers.absences()[target.answer];
      if (solved_.absence == Absence::kPresent) solved_.now = answers.values()[target.answer];
      chips_ = ChipCounts(typed.chip, Forward::slices(typed));
      sequence_ = Forward::sequence(typed);
    });
    if (!is_open()) return;
    solved_.met = target.is_met_by(solved_.now);
    if (solved_.met) return;
    if constexpr (requires { forward.add_more(checked, target, solved_.now, turns_[0]); }) {
      if (forward.add_more(checked, target, solved_.now, turns_[0])) solved_.size = 1;
    }
    // What takes no search comes first.
    for (const bool searched : {false, true}) add_places(checked, searched);
  }

  const Solved& solved() const { return solved_; }
  std::span<const Turn> turns() const { return std::span(turns_).first(solved_.size); }

  /// Works for about `count` layouts, or answers; whether all turns are known.
  bool advance(std::size_t count) {
    for (std::size_t i = 0; i < count && at_ < size_;) {
      if (!asking_) {
        open();
        continue;
      }
      if (!forward_.advance(count)) return false;
      tell(forward_.answered(target_.answer));
      i += is_searched(places_[at_]) ? count : 1;
    }
    return at_ == size_;
  }

 private:
  bool is_open() const { return solved_.issues.empty() && solved_.absence == Absence::kPresent; }
  static const FieldInfo& info_of(FieldPlace place) {
    return Question::kGroups[place.group][place.field];
  }
  static bool is_searched(FieldPlace place) { return Forward::searched(info_of(place)); }
  static bool is_number(const FieldInfo& info) {
    return info.kind == Kind::kNumber || info.kind == Kind::kCount;
  }

  void add_places(Input& checked, bool searched) {
    const auto groups = Question::groups(checked);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const auto fields = Question::kGroups[group];
      for (std::size_t i = 0; i < fields.size(); ++i) {
        const FieldInfo& info = fields[i];
        if (!info.for_targets || !Forward::turns(info) || Forward::searched(info) != searched ||
            std::isnan(groups[group][i]) || !field_matters(fields, info, groups[group])) {
          continue;
        }
        if (size_ == places_.size()) return;
        nows_[size_] = groups[group][i];
        places_[size_++] = {group, i};
      }
    }
  }

  /// Begins with the field in hand, or with its next choice.
  void open() {
    const FieldInfo& info = info_of(places_[at_]);
    const double now = nows_[at_];
    if (is_number(info)) {
      const bool of_chips = Forward::is_chips(info);
      TurnedField field{info};
      field.chips = of_chips ? &chips_ : nullptr;
      if (&info == &field_of<Run>("batchTokens")) field.multiple = sequence_;
      field.doublings = Forward::searched(info) ? kDoublings : 0;
      turn_.emplace(field, target_, now);
      turn_->tell(solved_.now);  // what it asks for first
      choice_ = turn_->asks();
      if (turn_->done()) {
        close();
        return;
      }
    } else {
      choice_ = opened_ ? choice_ + 1 : info.minimum;
      if (choice_ == now) ++choice_;
      opened_ = true;
      if (choice_ > info.maximum) {
        next();
        return;
      }
    }
    ask();
  }

  void ask() {
    Input asked = input_;
    const FieldPlace place = places_[at_];
    Question::groups(asked)[place.group][place.field] = choice_;
    if constexpr (detail::HasRun<Input>) {
      if (Forward::is_chips(info_of(place))) asked.run["slices"] = chips_.slices_for(choice_);
    }
    forward_.begin(asked, info_of(place));
    asking_ = true;
  }

  void tell(double answered) {
    asking_ = false;
    if (turn_.has_value()) {
      turn_->tell(answered);
      if (turn_->done()) {
        close();
      } else {
        choice_ = turn_->asks();
        ask();
      }
      return;
    }
    if (target_.is_met_by(answered)) add({places_[at_], Effect::kMeets, choice_, 0, answered});
  }

  void close() {
    Turn turn = turn_->turn();
    turn.place = places_[at_];
    if (detail::HasRun<Input> && Forward::is_chips(info_of(turn.place))) {
      turn.slices = chips_.slices_for(turn.value);
    }
    add(turn);
    turn_.reset();
    next();
  }

  void next() {
    opened_ = false;
    ++at_;
  }

  void add(const Turn& turn) {
    if (solved_.size < turns_.size()) turns_[solved_.size++] = turn;
  }

  Input input_;
  Target target_;
  Forward& forward_;
  ChipCounts chips_;
  double sequence_ = 1;
  Solved solved_;
  std::array<Turn, kMostTurns> turns_;
  std::array<FieldPlace, kMostTurns> places_;
  std::array<double, kMostTurns> nows_;
  std::size_t size_ = 0, at_ = 0;  ///< of the places
  std::optional<LongTurn> turn_;   ///< of a number
  double choice_ = 0;              ///< that is asked for
  bool opened_ = false, asking_ = false;
};

}  // namespace scaling
