// SPDX-License-Identifier: MIT
#include "scaling/input/layer_pattern.hpp"

#include <algorithm>

namespace scaling {
namespace {

std::uint32_t letters_of(const LayerPattern& pattern) {
  std::uint32_t letters = 0;
  for (const LayerPattern::Group& group : pattern.groups()) {
    const char marks[] = {kMixerMarks[static_cast<std::size_t>(group.mixer)],
                          kFeedForwardMarks[static_cast<std::size_t>(group.feed_forward)]};
    letters |= letters_in(std::string_view(marks, 2));
  }
  return letters;
}

/// Reads a pattern from left to right. Layers are kept by the number of their kind, so that what
/// stands in brackets can be repeated.
class PatternReader {
 public:
  PatternReader(std::string_view text, LayerPattern& pattern, TextFault& fault)
      : text_(text), pattern_(pattern), fault_(fault) {}

  bool read() {
    bool ready = true;  // an item may begin: at the start, and behind a separator
    while (at_ < text_.size()) {
      if (separates(text_[at_])) {
        ready = true;
        ++at_;
      } else if (text_[at_] == ')') {
        if (!close()) return false;
        ready = false;
      } else if (!ready) {
        return fail(IssueCode::kPatternUnreadable);
      } else if (!item(ready)) {
        return false;
      }
    }
    if (depth_ > 0) return fail(IssueCode::kPatternBrackets, opened_[depth_ - 1].place + 1);
    count();
    return true;
  }

 private:
  /// A bracket that is open.
  struct Opened {
    std::size_t place;  ///< in the text
    std::size_t first;  ///< layer in it
    double times;
  };

  static bool separates(char c) {
    return c == '.' || c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  bool fail(IssueCode code) { return fail(code, at_ + 1); }
  bool fail(IssueCode code, std::size_t argument) {
    fault_ = {code, static_cast<double>(argument)};
    return false;
  }

  bool has(char c) const { return at_ < text_.size() && text_[at_] == c; }

  /// Digits, if there are any; no more than is allowed, or false.
  bool number(double& value) {
    const std::size_t start = at_;
    for (value = 0; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      value = 10 * value + (text_[at_] - '0');
      if (value > LayerPattern::kMostNumber) {
        return fail(IssueCode::kPatternUnreadable, start + 1);
      }
    }
    // A size of nothing is none.
    if (at_ > start && value <= 0) return fail(IssueCode::kPatternUnreadable, start + 1);
    return true;
  }

  bool item(bool& ready) {
    double times = 0;
    if (is_digit(text_[at_])) {
      if (!number(times)) return false;
      if (!has('x')) return fail(IssueCode::kPatternUnreadable);
      ++at_;
    }
    times = std::max(times, 1.0);
    if (times > static_cast<double>(LayerPattern::kMostLayers)) return too_many();
    if (has('(')) {
      if (depth_ == opened_.size()) return fail(IssueCode::kPatternBrackets);
      opened_[depth_++] = {at_++, layers_, times};
      ready = true;
      return true;
    }
    ready = false;
    return layer(times);
  }

  bool layer(double times) {
    LayerPattern::Group kind{};
    std::size_t mark = 0;
    if (!marked(kMixerMarks, mark)) return false;
    kind.mixer = static_cast<Mixer>(mark);
    const std::size_t behind_mixer = at_;
    if (!number(kind.mixer_size)) return false;
    const bool compressed = kind.mixer == Mixer::kCompressed;
    if (kind.mixer_size > 0 ? kind.mixer > Mixer::kCompressed : compressed) {
      return fail(IssueCode::kPatternUnreadable, behind_mixer + 1);
    }
    if (!marked(kFeedForwardMarks, mark)) return false;
    kind.feed_forward = static_cast<FeedForward>(mark);
    const std::size_t behind_part = at_;
    if (!number(kind.width)) return false;
    if (kind.width > 0 && kind.feed_forward != FeedForward::kDense) {
      return fail(IssueCode::kPatternUnreadable, behind_part + 1);
    }
    return add(kind, times);
  }

  template <std::size_t kMarks>
  bool marked(const char (&marks)[kMarks], std::size_t& mark) {
    if (at_ < text_.size()) {
      for (mark = 0; mark < kMarks; ++mark) {
        if (text_[at_] == marks[mark]) {
          ++at_;
          return true;
        }
      }
    }
    return fail(IssueCode::kPatternUnreadable);
  }

  bool add(const LayerPattern::Group& kind, double times) {
    std::size_t which = 0;
    const auto same = [&](const LayerPattern::Group& other) {
      return other.mixer == kind.mixer && other.feed_forward == kind.feed_forward &&
             other.mixer_size == kind.mixer_size && other.width == kind.width;
    };
    while (which < pattern_.size && !same(pattern_.items[which])) ++which;
    if (which == pattern_.size) {
      if (which == pattern_.items.size()) {
        return fail(IssueCode::kPatternKinds, pattern_.items.size());
      }
      pattern_.items[pattern_.size++] = kind;
    }
    if (static_cast<double>(layers_) + times > static_cast<double>(pattern_.kinds.size())) {
      return too_many();
    }
    for (int i = 0; i < times; ++i) pattern_.kinds[layers_++] = static_cast<std::uint8_t>(which);
    return true;
  }

  bool close() {
    if (depth_ == 0) return fail(IssueCode::kPatternBrackets);
    const Opened& opened = opened_[--depth_];
    const std::size_t length = layers_ - opened.first;
    if (length == 0) return fail(IssueCode::kPatternUnreadable);
    ++at_;
    if (static_cast<double>(length) * opened.times >
        static_cast<double>(pattern_.kinds.size() - opened.first)) {
      return too_many();
    }
    for (int i = 1; i < opened.times; ++i) {
      for (std::size_t j = 0; j < length; ++j) {
        pattern_.kinds[layers_++] = pattern_.kinds[opened.first + j];
      }
    }
    return true;
  }

  bool too_many() { return fail(IssueCode::kPatternLayers, LayerPattern::kMostLayers); }

  void count() {
    for (std::size_t i = 0; i < layers_; ++i) ++pattern_.items[pattern_.kinds[i]].layers;
    pattern_.layers = static_cast<double>(layers_);
    pattern_.letters = letters_of(pattern_);
  }

  std::string_view text_;
  LayerPattern& pattern_;
  TextFault& fault_;
  std::size_t at_ = 0;
  std::array<Opened, LayerPattern::kMostNested> opened_{};
  std::size_t depth_ = 0;
  std::size_t layers_ = 0;
};

}  // namespace

void LayerPattern::count_between(double first, double last, Counts& counts) const {
  const auto end = static_cast<std::size_t>(std::clamp(last, 0.0, layers));
  auto i = static_cast<std::size_t>(std::clamp(first, 0.0, layers));
  for (; i < end; ++i) ++counts[kinds[i]];
}

double LayerPattern::experts_of(const Counts& counts) const {
  double found = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (items[i].feed_forward == FeedForward::kExperts) found += counts[i];
  }
  return found;
}

bool LayerPattern::differs() const {
  double width = -1;
  for (const Group& group : groups()) {
    const bool whole = group.mixer != Mixer::kNone && group.feed_forward != FeedForward::kNone;
    if (size > 1 && !whole) return true;
    if (group.mixer != items[0].mixer || group.mixer_size != items[0].mixer_size) return true;
    if (group.feed_forward != FeedForward::kDense) continue;
    if (width >= 0 && group.width != width) return true;
    width = group.width;
  }
  return false;
}

void LayerPattern::keep(const Counts& counts) {
  std::size_t kept = 0;
  layers = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (counts[i] == 0) continue;
    items[kept] = items[i];
    items[kept].layers = counts[i];
    layers += counts[i];
    ++kept;
  }
  size = kept;
  letters = letters_of(*this);
}

bool LayerPattern::parse(std::string_view text, LayerPattern& pattern, TextFault& fault) {
  pattern = {};
  return PatternReader(text, pattern, fault).read();
}

}  // namespace scaling
