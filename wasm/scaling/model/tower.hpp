// SPDX-License-Identifier: MIT
//
// The tower of a model that sees: layers over the patches of an image, and the projector that makes
// tokens of them for the language model.
#pragma once

#include "scaling/model/kernels/kernel.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

namespace term {

inline constexpr Term kTowerParameters{"towerParameters", "P_vit", kParam, "vit"};
inline constexpr Term kImageFlops{"imageFlops", "f_image", kFlop, "vit"};

}  // namespace term

/// The layers of a tower as those of a model, so that each fold over kernels counts them, too: full
/// attention with a key head for each query head. It has no vocabulary, so that its ends are empty.
/// Source: ViT (arXiv 2010.11929), section 3.1.
template <class R>
Model<R> tower_of(const Model<R>& model);

/// The projector as one matmul of as many parameters, whose rows are the tokens of images: each
/// published one has its matrices behind the merge of patches.
template <class R>
Kernel<R> projector_of(const Model<R>& model);

/// Parameters of the tower, its ends and the projector [params].
template <class R>
Quantity<kParam, R> tower_parameters(const Model<R>& model);

/// FLOPs of one image forward [FLOPs]: 2 for each parameter of the tower's layers and patch, with
/// attention among all patches, and 2 for each of the projector's and token of the image.
template <class R>
Quantity<kFlop, R> image_flops(const Model<R>& model);

}  // namespace scaling
