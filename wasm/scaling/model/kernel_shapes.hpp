// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/attention.hpp"

namespace scaling {

/// The form by which a kernel is priced.
enum class ShapeKind : std::uint8_t {
  kOther,    ///< its FLOPs and bytes tell enough
  kMatmul,   ///< one after another
  kExperts,  ///< in one launch
  kFlash,    ///< attention
};

/// The shape of a kernel of a list, where its price depends on it.
template <class R>
struct KernelShape {
  ShapeKind kind = ShapeKind::kOther;
  Count<R> copies{};  ///< of the matmul
  MatmulShape<R> matmul{};
  bool accumulates = false;  ///< of a matmul: into sums that are read first
  AttentionShape<R> attention{};
  bool backward = false;  ///< of an attention
};

/// The shapes of the kernels of a list, in its order.
template <class R>
class KernelShapes {
 public:
  /// Sets the shape of the kernel that `list` got last.
  void set_last(const Operations<R>& list, const KernelShape<R>& shape) {
    if (!list.items().empty()) shapes_[list.items().size() - 1] = shape;
  }

  const KernelShape<R>& operator[](std::size_t index) const { return shapes_[index]; }

 private:
  std::array<KernelShape<R>, Operations<R>::kMost> shapes_{};
};

}  // namespace scaling
