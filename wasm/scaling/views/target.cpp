// SPDX-License-Identifier: MIT
#include "scaling/views/target.hpp"

#include <algorithm>
#include <cstring>

#include "scaling/hardware/nodes.hpp"

namespace scaling {

ChipCounts::ChipCounts(const Chip<double>& chip, double slices, double chips)
    : network_(chip.network),
      pod_(pod_of(chip)),
      domain_(chip.domain_chips().value()),
      slices_(slices),
      now_(chips) {
  if (network_ != Network::kTorus) grain_ = domain_;
  if (network_ == Network::kTorus && pod_.wraparound == Wraparound::kCubes) grain_ = 64;
}

ChipCounts::ChipCounts(const Chip<double>& chip) : ChipCounts(chip, 1) { sold_ = chip; }

double ChipCounts::slices_for(double chips) const {
  if (sold_) return 0;
  if (network_ != Network::kTorus || chips == now_) return slices_;
  return std::max(slices_, std::ceil(chips / domain_));
}

bool ChipCounts::has(double chips) const {
  const double each = chips / slices_for(chips);
  if (each < 1 || each != std::floor(each)) return false;
  switch (network_) {
    case Network::kTorus: {
      if (grain_ == 1 || each <= grain_) return slice_shape(pod_, each)[0] > 0;
      // Larger slices are made of whole cubes of 4 x 4 x 4 if wraparound runs between these.
      Pod cubes = pod_;
      for (double& length : cubes.lengths) length = std::floor(length / 4);
      const double count = each / grain_;
      return count == std::floor(count) && slice_shape(cubes, count)[0] > 0;
    }
    case Network::kNone:
    case Network::kSwitched:
    case Network::kPcie:
      return each <= grain_ || each / grain_ == std::floor(each / grain_);
  }
  return false;
}

double ChipCounts::nearest(double chips, bool up) const {
  if (sold_) {
    const Quantity<kChip, double> asked(chips);
    return (up ? bought_chips(*sold_, asked) : bought_within(*sold_, asked)).value();
  }
  // A slice of a torus comes within a few dozen chips; whole domains and slices are reached by
  // their own steps.
  constexpr int kFar = 4096;
  double tried = up ? std::ceil(chips) : std::floor(chips);
  for (int i = 0; i < kFar && tried >= 1; ++i) {
    if (has(tried)) return tried;
    const double slices = slices_for(tried);
    const double grain = tried > slices * grain_ ? slices * grain_ : slices;
    const double next = up ? std::ceil(tried / grain) * grain : std::floor(tried / grain) * grain;
    tried = next == tried ? tried + (up ? grain : -grain) : next;
  }
  return 0;
}

namespace {

constexpr double kSixteenthOctave = 1.0442737824274138;  // 2^(1/16)
constexpr double kQuarterOctave = 1.189207115002721;     // 2^(1/4)
constexpr int kMostLooks = 256;
/// Answers that differ by less have been rounded otherwise.
constexpr double kSameAnswer = 1e-12;

/// The double in the middle of those between two that are not negative: their bits are in order.
double middle_of_bits(double a, double b) {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::memcpy(&low, &a, sizeof low);
  std::memcpy(&high, &b, sizeof high);
  const std::uint64_t middle = low / 2 + high / 2 + (low & high & 1);
  double result = 0;
  std::memcpy(&result, &middle, sizeof result);
  return result;
}

/// The nearest number of three digits that is at least (`up`) or at most x > 0.
double of_three_digits(double x, bool up) {
  constexpr double kLeast = 1e-18;
  constexpr double kMost = 1e22;  // the powers of ten up to here are doubles
  if (!(x >= kLeast && x < kMost)) return x;
  double above = 1;  // x = (100 .. 1000) * above / below
  double below = 1;
  while (x / above >= 1000) above *= 10;
  while (x * below < 100) below *= 10;
  const auto round = [&](double y) { return up ? std::ceil(y) : std::floor(y); };
  return below > 1 ? round(x * below) / below : round(x / above) * above;
}

class NumberTurn {
 public:
  NumberTurn(const AnswerAlong& answer, const TurnedField& field, const Target& target, double now)
      : answer_(answer),
        field_(field),
        target_(target),
        start_(now),
        before_(answer(now)),
        was_met_(target.is_met_by(before_)) {
    turn_ = {{}, Effect::kNone, now, 0, before_};
  }

  Turn find() {
    if (has_no_effect()) return turn_;
    Turn found[2];
    bool meets[2] = {false, false};
    for (const bool up : {false, true}) {
      meets[up] = look(up);
      found[up] = turn_;
    }
    if (!meets[0] && !meets[1]) return turn_;
    if (meets[0] != meets[1]) return found[meets[1]];
    // The nearer one: by the factor, or from 0 upward.
    return start_ * start_ > found[0].value * found[1].value ? found[1] : found[0];
  }

 private:
  bool is_count() const { return field_.info.kind == Kind::kCount; }
  bool is_allowed_number(double x) const {
    return x >= field_.info.minimum && x <= field_.info.maximum;
  }

  /// Whether the answer is the same at both ends of the field's range and on both sides of its
  /// value: most fields change most answers there, or nowhere.
  bool has_no_effect() const {
    const FieldInfo& info = field_.info;
    if (field_.chips != nullptr) return false;
    const auto whole = [&](double x) { return is_count() ? std::ceil(x) : x; };
    for (const double x : {whole(start_ / 2), 2 * start_, info.minimum, info.maximum}) {
      const double answered = answer_(std::clamp(x, info.minimum, info.maximum));
      if (!(std::abs(answered - before_) <= kSameAnswer * std::abs(before_))) return false;
    }
    return true;
  }

  /// The next place to look at; the present one where there is none.
  double next(double x, bool up, int step) const {
    const FieldInfo& info = field_.info;
    const bool coarse = field_.doublings > 0;
    if (coarse && step >= field_.doublings) return x;
    const double factor = coarse      ? 2
                          : step < 16 ? kSixteenthOctave
                          : step < 32 ? kQuarterOctave
                                      : 2;
    double y = up ? x * factor : x / factor;
    if (x == 0) y = up ? std::max(info.maximum * 0x1p-60, is_count() ? 1.0 : 0.0) : 0;
    if (is_count()) y = up ? std::max(std::floor(y), x + 1) : std::min(std::ceil(y), x - 1);
    // Nothing is far below the smallest numbers that matter but the least one.
    const bool last = !up && step > 32 + 96;
    y = last ? info.minimum : std::clamp(y, info.minimum, info.maximum);
    if (field_.chips != nullptr) {
      const double usable = field_.chips->nearest(y, up);
      if (usable == 0 || !is_allowed_number(usable)) return x;
      return up ? std::max(usable, x) : std::min(usable, x);
    }
    return y;
  }

  /// A number between two others; one of them if there is none between.
  double middle(double a, double b) const {
    if (!is_count()) return middle_of_bits(std::min(a, b), std::max(a, b));
    const double halfway = std::floor(std::min(a, b) + std::abs(b - a) / 2);
    if (field_.chips == nullptr) return halfway;
    const auto between = [&](double x) { return x > std::min(a, b) && x < std::max(a, b); };
    const double above = field_.chips->nearest(halfway, true);
    if (between(above)) return above;
    const double below = field_.chips->nearest(halfway, false);
    return between(below) ? below : a;
  }

  /// Moves `far`, which passes the test, and `near`, which does not, as near to each other as can
  /// be.
  template <class Test>
  void narrow(double& near, double& far, Test test) const {
    constexpr int kMost = 128;
    for (int i = 0; i < kMost; ++i) {
      const double x = middle(near, far);
      if (x == near || x == far) return;
      (test(answer_(x)) ? far : near) = x;
    }
  }

  void notice(double x, double answered) {
    const double change = std::abs(answered - before_);
    if (!(change > kSameAnswer * std::abs(before_))) return;
    const bool better =
        target_.wanted == Wanted::kAtMost ? answered < turn_.reached : answered > turn_.reached;
    if (turn_.effect == Effect::kNone || (target_.wanted != Wanted::kIs && better)) {
      const bool worse = target_.wanted != Wanted::kIs && !better;
      turn_.effect = Effect::kFallsShort;
      // It stays as it is if each change makes it worse.
      if (!worse) {
        turn_.value = x;
        turn_.reached = answered;
      }
    }
  }

  bool meets(double answered) const {
    return target_.is_met_by(answered) &&
           std::abs(answered - before_) > kSameAnswer * std::abs(before_);
  }

  /// Whether an answer ends the search: it meets the target, or no longer does where it was met.
  bool ends(double answered) const {
    return was_met_ ? !target_.is_met_by(answered) : meets(answered);
  }

  /// Whether the search ends that way; then `turn_` says where.
  bool look(bool up) {
    double x = start_;
    for (int step = 0; step < kMostLooks; ++step) {
      const double y = next(x, up, step);
      if (y == x) return false;
      double at = y;
      double answered = answer_(at);
      const bool valid = !std::isnan(answered);
      if (!valid) {
        // The last place that is still valid.
        double last = x;
        double beyond = y;
        narrow(beyond, last, [](double each) { return !std::isnan(each); });
        if (last == x) return false;
        at = last;
        answered = answer_(at);
      }
      if (ends(answered)) {
        double before = x;
        narrow(before, at, [&](double each) { return ends(each); });
        if (was_met_ && before == start_) return false;
        const double value = was_met_ ? tidied(before, !up) : tidied(at, up);
        turn_ = {{}, was_met_ ? Effect::kKeeps : Effect::kMeets, value, 0, answer_(value)};
        return true;
      }
      if (!was_met_) notice(at, answered);
      if (!valid) return false;
      x = y;
    }
    return false;
  }

  /// A number that people write, near the one that was found, up or down from it.
  double tidied(double x, bool up) const {
    if (field_.chips != nullptr) return x;
    const auto suits = [&](double each) {
      if (!is_allowed_number(each)) return false;
      if (!was_met_) return meets(answer_(each));
      const bool is_beyond_start = (each - start_) * (x - start_) > 0;
      return is_beyond_start && target_.is_met_by(answer_(each));
    };
    if (field_.multiple > 1) {
      const double count = x / field_.multiple;
      const double whole = (up ? std::ceil(count) : std::floor(count)) * field_.multiple;
      if (suits(whole)) return whole;
    }
    if (is_count() && x < 1000) return x;
    const double round = of_three_digits(x, up);
    return suits(round) ? round : x;
  }

  const AnswerAlong& answer_;
  const TurnedField& field_;
  const Target& target_;
  double start_;
  double before_;
  bool was_met_;
  Turn turn_;
};

}  // namespace

double detail::KnownAnswers::operator()(double x) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (numbers_[i] == x) return answers_[i];
  }
  if (!lacks_) asked_ = x;
  lacks_ = true;
  return std::numeric_limits<double>::quiet_NaN();
}

void detail::KnownAnswers::tell(double x, double answered) {
  numbers_[size_] = x;
  answers_[size_] = answered;
  ++size_;
  lacks_ = false;
}

LongTurn::LongTurn(const TurnedField& field, const Target& target, double now)
    : field_(field), target_(target), now_(now) {
  go_on();
}

void LongTurn::tell(double answered) {
  known_.tell(known_.asked(), answered);
  go_on();
}

void LongTurn::go_on() {
  turn_ = turn_number(known_, field_, target_, now_);
  // There is room for every number that is looked at, and for each that narrows a crossing down.
  done_ = !known_.lacks() || known_.full();
}

Turn turn_number(const AnswerAlong& answer, const TurnedField& field, const Target& target,
                 double now) {
  return NumberTurn(answer, field, target, now).find();
}

}  // namespace scaling
