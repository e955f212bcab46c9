// SPDX-License-Identifier: MIT
#include "scaling/input/length_list.hpp"

#include <algorithm>

namespace scaling {
namespace {

/// Reads a list from left to right.
class LengthReader {
 public:
  LengthReader(std::string_view text, LengthList& list, TextFault& fault)
      : text_(text), list_(list), fault_(fault) {}

  bool read() {
    if (std::all_of(text_.begin(), text_.end(), is_space)) return true;
    skip();
    do {
      if (!bin()) return false;
      if (at_ < text_.size() && !separates(text_[at_])) return fail(at_);
      skip();
    } while (at_ < text_.size());
    // Bins without weight leave nothing.
    if (!(all_ > 0)) return fail(0);
    count();
    return true;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static bool separates(char c) { return c == ',' || c == ';' || is_space(c); }

  bool fail(std::size_t place) {
    fault_ = {IssueCode::kLengthsUnreadable, static_cast<double>(place + 1)};
    return false;
  }

  void skip() {
    while (at_ < text_.size() && separates(text_[at_])) ++at_;
  }

  bool has(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  /// A number with or without decimals, and no more than `most`.
  bool number(double& value, double most) {
    const std::size_t start = at_;
    value = 0;
    const auto digit = [&] { return text_[at_++] - '0'; };
    const auto is_next = [&] { return at_ < text_.size() && is_digit(text_[at_]); };
    if (!is_next()) return fail(at_);
    while (is_next() && value <= most) value = 10 * value + digit();
    double place = 1;
    if (has('.') && !is_next()) return fail(at_);
    while (is_next() && value <= most) value += digit() * (place /= 10);
    return value <= most || fail(start);
  }

  bool bin() {
    const std::size_t start = at_;
    LengthList::Bin bin{0, 0, 1};
    if (!number(bin.from, LengthList::kMostTokens)) return false;
    bin.to = bin.from;
    if (has('-')) {
      if (!number(bin.to, LengthList::kMostTokens)) return false;
      if (!(bin.to > bin.from)) return fail(start);
    }
    if (bin.from + bin.to < 2) return fail(start);
    if (has(':') && !number(bin.share, LengthList::kMostWeight)) return false;
    return !(bin.share > 0) || add(bin);
  }

  bool add(const LengthList::Bin& bin) {
    all_ += bin.share;
    for (LengthList::Bin& other : std::span(list_.items).first(list_.size)) {
      if (other.from != bin.from || other.to != bin.to) continue;
      other.share += bin.share;
      return true;
    }
    if (list_.size == list_.items.size()) {
      fault_ = {IssueCode::kLengthsMost, LengthList::kMostBins};
      return false;
    }
    list_.items[list_.size++] = bin;
    return true;
  }

  void count() {
    double square = 0;
    for (LengthList::Bin& bin : std::span(list_.items).first(list_.size)) {
      bin.share /= all_;
      list_.mean += bin.share * (bin.from + bin.to) / 2;
      square += bin.share * (bin.from * bin.from + bin.from * bin.to + bin.to * bin.to) / 3;
      list_.longest = std::max(list_.longest, bin.to);
    }
    // One length alone is rid of what rounding leaves.
    const LengthList::Bin& first = list_.items[0];
    const bool alike = list_.size == 1 && first.from == first.to;
    list_.square = alike ? 1 : square / (list_.mean * list_.mean);
    list_.letters = 1;
  }

  std::string_view text_;
  LengthList& list_;
  TextFault& fault_;
  std::size_t at_ = 0;
  double all_ = 0;  ///< weights
};

}  // namespace

LengthList LengthList::longer_by(double tokens) const {
  if (empty()) return *this;
  LengthList result = *this;
  for (Bin& bin : std::span(result.items).first(size)) {
    bin.from += tokens;
    bin.to += tokens;
  }
  result.mean += tokens;
  result.longest += tokens;
  // The variance stays.
  result.square = 1 + (square - 1) * (mean * mean) / (result.mean * result.mean);
  return result;
}

bool LengthList::parse(std::string_view text, LengthList& list, TextFault& fault) {
  list = {};
  return LengthReader(text, list, fault).read();
}

}  // namespace scaling
