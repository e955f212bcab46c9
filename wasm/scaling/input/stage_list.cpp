// SPDX-License-Identifier: MIT
#include "scaling/input/stage_list.hpp"

#include <algorithm>

namespace scaling {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Reads a list from left to right. What repeats is written out mark by mark before it is divided
/// into parts; numbers become as many layers.
class StageReader {
 public:
  StageReader(std::string_view text, StageList& list, TextFault& fault)
      : text_(text), list_(list), fault_(fault) {}

  bool read() {
    skip();
    if (at_ == text_.size()) return true;
    const bool numbers = is_digit(text_[at_]);
    for (; at_ < text_.size(); skip()) {
      if (!(numbers ? number_of_layers() : item())) return false;
    }
    if (depth_ > 0) return fail(IssueCode::kPatternBrackets, opened_[depth_ - 1].place + 1);
    return numbers ? divide() : has_ends() && divide();
  }

 private:
  /// A bracket that is open.
  struct Opened {
    std::size_t place;  ///< in the text
    std::size_t first;  ///< mark in it
  };

  bool fail(IssueCode code) { return fail(code, at_ + 1); }
  bool fail(IssueCode code, std::size_t argument) {
    fault_ = {code, static_cast<double>(argument)};
    return false;
  }
  bool too_long() { return fail(IssueCode::kPatternLayers, StageList::kMostLayers); }

  void skip() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool number(std::size_t& value) {
    if (at_ == text_.size() || !is_digit(text_[at_])) return fail(IssueCode::kStagesUnreadable);
    for (value = 0; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      value = 10 * value + static_cast<std::size_t>(text_[at_] - '0');
      if (value > StageList::kMostLayers) return too_long();
    }
    return true;
  }

  /// How often the item that has been read stands here.
  bool times(std::size_t& value) {
    value = 1;
    if (at_ == text_.size() || text_[at_] != '*') return true;
    ++at_;
    const std::size_t start = at_;
    if (!number(value)) return false;
    return value > 0 || fail(IssueCode::kStagesUnreadable, start + 1);
  }

  bool put(char mark) {
    if (size_ == marks_.size()) return too_long();
    marks_[size_++] = mark;
    return true;
  }

  bool number_of_layers() {
    std::size_t layers = 0;
    std::size_t parts = 0;
    if (!number(layers) || !times(parts)) return false;
    for (std::size_t i = 0; i < parts; ++i) {
      if (begun_ && !put('|')) return false;
      begun_ = true;
      for (std::size_t j = 0; j < layers; ++j) {
        if (!put('t')) return false;
      }
    }
    return true;
  }

  bool item() {
    const char c = text_[at_];
    if (c == '(') {
      if (depth_ == opened_.size()) return fail(IssueCode::kPatternBrackets);
      opened_[depth_++] = {at_++, size_};
      return true;
    }
    std::size_t first = size_;
    if (c == ')') {
      if (depth_ == 0) return fail(IssueCode::kPatternBrackets);
      first = opened_[--depth_].first;
      if (first == size_) return fail(IssueCode::kStagesUnreadable);
    } else if (c == 'E' || c == 't' || c == 'm' || c == 'L' || c == '|') {
      if (!put(c)) return false;
    } else {
      return fail(IssueCode::kStagesUnreadable);
    }
    ++at_;
    std::size_t count = 1;
    if (!times(count)) return false;
    const std::size_t last = size_;
    for (std::size_t i = 1; i < count; ++i) {
      for (std::size_t j = first; j < last; ++j) {
        if (!put(marks_[j])) return false;
      }
    }
    return true;
  }

  bool has_ends() {
    const auto end = marks_.begin() + static_cast<std::ptrdiff_t>(size_);
    const bool once =
        std::count(marks_.begin(), end, 'E') == 1 && std::count(marks_.begin(), end, 'L') == 1;
    return (once && marks_[0] == 'E' && end[-1] == 'L') || fail(IssueCode::kStagesEnds, 0);
  }

  bool divide() {
    list_.size = 1;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::size_t part = list_.size - 1;
      if (marks_[i] == '|') {
        if (list_.size == list_.items.size()) {
          return fail(IssueCode::kStagesMost, StageList::kMostParts);
        }
        ++list_.size;
      } else if (marks_[i] == 't') {
        if (list_.modules > 0) return fail(IssueCode::kStagesModules, 0);
        if (list_.layers >= StageList::kMostLayers) return too_long();
        ++list_.items[part];
        ++list_.layers;
      } else if (marks_[i] == 'm') {
        if (list_.modules > 0 && list_.modules_at != part) {
          return fail(IssueCode::kStagesModules, 0);
        }
        list_.modules_at = part;
        ++list_.modules;
      }
    }
    return true;
  }

  std::string_view text_;
  StageList& list_;
  TextFault& fault_;
  std::size_t at_ = 0;
  std::array<Opened, StageList::kMostNested> opened_{};
  std::size_t depth_ = 0;
  bool begun_ = false;  ///< a number has been read
  std::array<char, StageList::kMostLayers + StageList::kMostParts + 64> marks_{};
  std::size_t size_ = 0;
};

}  // namespace

double StageList::before(std::size_t part) const {
  double sum = 0;
  for (std::size_t i = 0; i < part; ++i) sum += items[i];
  return sum;
}

double StageList::longest() const {
  return *std::max_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(size));
}

bool StageList::parse(std::string_view text, StageList& list, TextFault& fault) {
  list = {};
  return StageReader(text, list, fault).read();
}

}  // namespace scaling
