// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "scaling/quantity/constant.hpp"
#include "scaling/quantity/dimension.hpp"
#include "scaling/quantity/shown.hpp"

namespace scaling {

struct FieldInfo;

/// The name of a quantity: a step of a derivation, and an answer if a question lists it.
struct Term {
  const char* key;      ///< names its texts in shared/text
  const char* symbol;   ///< in the book's notation: "T_math"; an underscore starts the subscript
  Dimension dimension;  ///< its unit
  const char* source;   ///< id of its rule's source in shared/sources.json
  std::span<const char* const> choices = {};  ///< names of the values, where it is not a number
  Shown shown = Shown::kPlain;

  constexpr Term in_percent() const { return as(Shown::kPercent); }
  constexpr Term of_step() const { return as(Shown::kStep); }

 private:
  constexpr Term as(Shown notation) const {
    Term result = *this;
    result.shown = notation;
    return result;
  }
};

/// The operation that made a value on the tape.
enum class Op : std::uint8_t {
  kNumber,  ///< a number of the formula, or a named constant
  kInput,   ///< a field of the input
  kStep,    ///< a named quantity; its one argument is the expression it names
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kSquare,
  kSqrt,
  kCubeRoot,
  kCeil,
  kFloor,
  kMin,
  kMax,
  kNearestPowerOfTwo,
  kPowerOfTwoBelow,
  kExpMinusOne,
  kLogarithm,
  kPower,
  kChooseIfBelow,  ///< a choice: the value is its index where left < right, else 0
};

/// A place in a tape. The first one is kept free: it stands for no node, so that a tape's storage
/// is all zeros to begin with and takes no room in the module.
using NodeId = std::uint32_t;
inline constexpr NodeId kNowhere = 0;

struct Node {
  double value = 0;
  NodeId left = kNowhere;
  NodeId right = kNowhere;
  Op op = Op::kNumber;
  ConstantId constant = 0;               ///< the name of a number that has one
  const Dimension* dimension = nullptr;  ///< of a number that has one
  const Term* term = nullptr;            ///< of a step
  const FieldInfo* field = nullptr;      ///< of an input
};

/// A record of one computation: every constant, input, operation and named step in the order in
/// which they were computed. Its memory is given by the caller and never grows; what does not fit
/// is left out, and `full()` says so.
class Tape {
 public:
  explicit Tape(std::span<Node> storage) : nodes_(storage) {}

  NodeId add(const Node& node) {
    if (size_ >= nodes_.size()) {
      full_ = true;
      return kNowhere;
    }
    nodes_[size_] = node;
    return static_cast<NodeId>(size_++);
  }

  bool full() const { return full_; }
  std::size_t size() const { return size_; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }

  /// Records `Traced` values on the tape while it lives. These are one word small and cannot say
  /// themselves where they belong; formulas over them take a third of the code. One thread at a
  /// time.
  class Recording {
   public:
    explicit Recording(Tape& tape) : before_(current_) { current_ = &tape; }
    ~Recording() { current_ = before_; }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

   private:
    Tape* before_;
  };

 private:
  friend class Traced;

  static Tape* current_;

  std::span<Node> nodes_;
  std::size_t size_ = 1;
  bool full_ = false;
};

/// A double that remembers how it was computed: a place on the tape that is recording.
class Traced {
 public:
  constexpr Traced() = default;  ///< 0, on no tape
  explicit Traced(double number, const Dimension* dimension = nullptr, ConstantId constant = 0);

  static Traced input(double value, const FieldInfo& field);
  /// The content of a node of the tape that is recording.
  static Traced at(NodeId node);
  static Traced unary(Op op, Traced a, double value);
  /// Operands that change nothing leave no trace: a 0 in a sum, a 1 in a product, a product with 0,
  /// a limit that is not reached, what is divided by itself. Only numbers of the formula are meant,
  /// and steps that are nothing but such a 0: an input or another step stays, whatever its value,
  /// because it explains.
  static Traced binary(Op op, Traced a, Traced b, double value);

  /// The same value under a name of its own.
  Traced named(const Term& term) const;

  double value() const;
  constexpr NodeId node() const { return node_; }

  friend Traced operator+(Traced a, Traced b);
  friend Traced operator-(Traced a, Traced b);
  friend Traced operator*(Traced a, Traced b);
  friend Traced operator/(Traced a, Traced b);

 private:
  const Node& read() const;
  static Traced place(const Node& node);
  NodeId recorded() const;  ///< its node; a 0 that is on no tape gets one
  bool is_literal() const;  ///< whether it is a number of a formula without a name
  bool is_nothing() const;  ///< whether it is such a 0, or a step that is nothing else

  NodeId node_ = kNowhere;
};

}  // namespace scaling
