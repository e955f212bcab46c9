// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "scaling/hardware/network.hpp"
#include "scaling/input/run.hpp"
#include "scaling/views/sweep.hpp"

namespace scaling {

// Questions asked backward: which of its inputs could bring an answer to a target, each alone.

enum class Wanted : std::uint8_t {
  kAtMost,
  kAtLeast,
  kIs,  ///< a choice such as the bound is this one, by its index
};
inline constexpr const char* kWantedNames[] = {"atMost", "atLeast", "is"};

/// An answer of a question's list, and what it should be, in the answer's own unit.
struct Target {
  std::size_t answer;
  Wanted wanted;
  double value;

  /// False of NaN, which stands for no answer.
  bool is_met_by(double answered) const {
    switch (wanted) {
      case Wanted::kAtMost:
        return answered <= value;
      case Wanted::kAtLeast:
        return answered >= value;
      case Wanted::kIs:
        return answered == value;
    }
    return false;
  }
};

enum class Effect : std::uint8_t {
  kMeets,
  kFallsShort,  ///< it changes the answer, but not far enough
  kNone,        ///< the answer does not depend on it, or stays in a target that is met
  kKeeps,       ///< the target is met as it is, and so far, but not beyond
};
inline constexpr const char* kEffectNames[] = {"meets", "fallsShort", "none", "keeps"};

/// The effect that one field alone can have on a target.
struct Turn {
  FieldPlace place;
  Effect effect;
  /// The value nearest to the present one that meets the target; where none does, the one that
  /// comes nearest to it; of a target that is met, the last one that keeps it. The whole input is
  /// valid with it.
  double value;
  double slices;   ///< that go with so many chips; 0 of other fields
  double reached;  ///< the answer then
};

/// An answer along one field of an input; NaN where the input is not valid or has no answer.
class AnswerAlong {
 public:
  virtual double operator()(double x) const = 0;

 protected:
  AnswerAlong() = default;
  AnswerAlong(const AnswerAlong&) = default;
  AnswerAlong& operator=(const AnswerAlong&) = default;
  ~AnswerAlong() = default;
};

/// Numbers of chips that a network has: whole domains of switches, slices of a torus, of cubes
/// where it is made of them, all slices of one size. For servers, those that can be bought.
class ChipCounts {
 public:
  ChipCounts() = default;
  /// `slices`: as many as the reader has `chips` in now, which stay unless more are needed.
  ChipCounts(const Chip<double>& chip, double slices, double chips = 0);
  /// Targets of servers.
  explicit ChipCounts(const Chip<double>& chip);

  /// Slices for so many chips: the present ones, or as many pods as it takes; 0 of servers.
  double slices_for(double chips) const;

  /// The nearest such number that is at least (`up`) or at most `chips`; 0 where none is near.
  double nearest(double chips, bool up) const;

 private:
  bool has(double chips) const;

  Network network_ = Network::kNone;
  Pod pod_{};
  double domain_ = 1;
  double grain_ = 1;  ///< larger numbers are multiples of it: domains, cubes
  double slices_ = 1;
  double now_ = 0;                    ///< chips whose slices are as good as they are
  std::optional<Chip<double>> sold_;  ///< set for servers
};

/// The numbers that a field may be turned to.
struct TurnedField {
  const FieldInfo& info;
  const ChipCounts* chips = nullptr;  ///< set for a field that is a number of chips
  double multiple = 1;                ///< a count is best a multiple of it: whole sequences
  /// The number of doublings and halvings that are tried; limits answers that take long.
  int doublings = 0;
};

/// Turns a number away from `now`, both ways, until it meets the target, or until it no longer
/// meets one that `now` does; what ends a target that is met must be an answer. It looks at ever
/// wider steps, sixteen an octave at first: between two places that it looks at, an answer may go
/// to the target and come back unseen, as none does that rises or falls; nor is one looked for that
/// is the same at both ends of the field's range and on both sides of `now`. From the first place
/// that meets the target it narrows the crossing down to neighbouring doubles, or whole numbers;
/// then it goes on to a number of three digits, or one that divides, if that meets the target, too:
/// further from `now`, or back towards it where the target was met.
Turn turn_number(const AnswerAlong& answer, const TurnedField& field, const Target& target,
                 double now);

namespace detail {

/// Answers that are known so far. The first one that is not is asked for; until it is told, none is
/// valid.
class KnownAnswers final : public AnswerAlong {
 public:
  double operator()(double x) const override;
  bool lacks() const { return lacks_; }
  double asked() const { return asked_; }
  bool full() const { return size_ == numbers_.size(); }
  void tell(double x, double answered);

 private:
  std::array<double, 1024> numbers_, answers_;
  std::size_t size_ = 0;
  mutable bool lacks_ = false;
  mutable double asked_ = 0;
};

}  // namespace detail

/// Doublings and halvings that are looked at where each answer takes a search.
inline constexpr int kSearchedDoublings = 8;

/// turn_number where each answer takes long, as after a search of its own: it asks for one at a
/// time. The known answers are gone through anew each time, which takes no time beside a search.
class LongTurn {
 public:
  LongTurn(const TurnedField& field, const Target& target, double now);

  bool done() const { return done_; }
  bool of_chips() const { return field_.chips != nullptr; }
  /// The number whose answer it needs, while it is not done.
  double asks() const { return known_.asked(); }
  /// NaN where the input is not valid or has no answer.
  void tell(double answered);
  /// The solved turn, valid once the search is done. It has no place yet.
  const Turn& turn() const { return turn_; }

 private:
  void go_on();

  TurnedField field_;
  Target target_;
  double now_;
  detail::KnownAnswers known_;
  Turn turn_{};
  bool done_ = false;
};

namespace detail {

/// The answer to a whole input; NaN where there is none.
template <class Question>
double answer_to(typename Question::Input input, std::size_t answer) {
  double result = std::numeric_limits<double>::quiet_NaN();
  Issues issues;
  Issues notices;
  check<Question>(input, issues, notices, [&](const auto& typed) {
    const auto answers = Question::answer(typed);
    if (answers.absences()[answer] == Absence::kPresent) result = answers.values()[answer];
  });
  return result;
}

/// Whether an input has chips in slices.
template <class Input>
concept HasRun = requires(Input input) {
  input.chip;
  input.run;
};

template <class Question>
class AnswerTurned final : public AnswerAlong {
 public:
  using Input = typename Question::Input;

  AnswerTurned(const Input& input, FieldPlace place, std::size_t answer, const ChipCounts* chips)
      : input_(input), place_(place), answer_(answer), chips_(chips) {}

  double operator()(double x) const override {
    Input input = input_;
    Question::groups(input)[place_.group][place_.field] = x;
    if constexpr (HasRun<Input>) {
      if (chips_ != nullptr) input.run["slices"] = chips_->slices_for(x);
    }
    return answer_to<Question>(input, answer_);
  }

 private:
  Input input_;
  FieldPlace place_;
  std::size_t answer_;
  const ChipCounts* chips_;
};

}  // namespace detail

/// A target's solution: what is wrong with the input, or the answer as it is and the turns.
struct Solved {
  Issues issues;
  Absence absence = Absence::kPresent;  ///< of the answer
  double now = 0;                       ///< the answer
  bool met = false;                     ///< the target is met as it is: turns keep it
  std::size_t size = 0;                 ///< of the turns
};

/// Turns each field that a reader may choose, alone, and tells in `turns` what that does about the
/// target, in the order of the field table. Each choice of a field that meets the target has a
/// turn, where it is not met yet. At most turns.size() of them. `target.answer` must be one of the
/// question's.
template <class Question>
void solve_target(const typename Question::Input& input, const Target& target,
                  std::span<Turn> turns, Solved& solved) {
  using Input = typename Question::Input;
  Issues notices;
  Input checked = input;
  ChipCounts chips;
  double sequence = 1;
  check<Question>(checked, solved.issues, notices, [&](const auto& typed) {
    const auto answers = Question::answer(typed);
    solved.absence = answers.absences()[target.answer];
    if (solved.absence == Absence::kPresent) solved.now = answers.values()[target.answer];
    if constexpr (detail::HasRun<Input>) {
      // Slices that were joined for the present number of chips are no choice of the reader's.
      chips = ChipCounts(typed.chip, Input(input).run["slices"], typed.run.chips.value());
      sequence = typed.run.sequence_length.value();
    }
  });
  if (!solved.issues.empty() || solved.absence != Absence::kPresent) return;
  solved.met = target.is_met_by(solved.now);

  const auto add = [&](const Turn& turn) {
    if (solved.size < turns.size()) turns[solved.size++] = turn;
  };
  const auto groups = Question::groups(checked);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto fields = Question::kGroups[group];
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const FieldInfo& info = fields[i];
      const double now = groups[group][i];
      if (!info.for_targets || std::isnan(now) || !field_matters(fields, info, groups[group])) {
        continue;
      }
      const FieldPlace place{group, i};
      bool of_chips = false;
      TurnedField field{info};
      if constexpr (detail::HasRun<Input>) {
        of_chips = &info == &field_of<Run>("chips");
        if (&info == &field_of<Run>("batchTokens")) field.multiple = sequence;
      }
      if (of_chips) field.chips = &chips;
      const bool counts = info.kind == Kind::kNumber || info.kind == Kind::kCount;
      // Another choice may ask for fields that don't matter as it is: those that the reader gave.
      const detail::AnswerTurned<Question> answer(counts ? checked : input, place, target.answer,
                                                  field.chips);
      if (counts) {
        Turn turn = turn_number(answer, field, target, now);
        turn.place = place;
        if (of_chips) turn.slices = chips.slices_for(turn.value);
        add(turn);
        continue;
      }
      if (solved.met) continue;
      // Choices and flags: all that there are.
      for (double choice = info.minimum; choice <= info.maximum; choice += 1) {
        if (choice == now) continue;
        const double reached = answer(choice);
        if (target.is_met_by(reached)) add({place, Effect::kMeets, choice, 0, reached});
      }
    }
  }
}

}  // namespace scaling
