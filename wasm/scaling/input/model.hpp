// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"

namespace scaling {

enum class Attention : std::uint8_t {
  kGrouped,  ///< K key/value heads for N query heads: MHA (K = N), GQA, MQA (K = 1)
  kLatent,   ///< multi-head latent attention (DeepSeek-V2)
};
inline constexpr const char* kAttentionNames[] = {"grouped", "latent"};

enum class Norm : std::uint8_t { kRmsNorm, kLayerNorm, kLayerNormNoBias };
inline constexpr const char* kNormNames[] = {"rmsNorm", "layerNorm", "layerNormNoBias"};

enum class QkNorm : std::uint8_t {
  kNone,
  kPerHead,  ///< one weight vector of length H for queries and one for keys
  kFull,     ///< over all heads at once
};
inline constexpr const char* kQkNormNames[] = {"none", "perHead", "full"};

/// A decoder-only transformer. Sizes are in elements; symbols are the book's.
template <class R>
struct Model {
  static constexpr const char* kGroup = "model";
  template <class T>
  struct Slot {
    T model;
    static constexpr T Slot::*kMember = &Slot::model;
  };

  Count<R> layers, hidden, feed_forward, heads, kv_heads, head_dim, vocabulary, context_length;
  bool gated_feed_forward;  ///< three matrices (SwiGLU, GeGLU) instead of two
  bool tied_embeddings;     ///< input and output share one matrix

  Attention attention;
  Count<R> query_rank, kv_rank, nope_dim, rope_dim, value_dim;  ///< latent attention

  Norm norm;
  Count<R> norms_per_layer;
  bool embedding_norm;
  QkNorm qk_norm;

  bool qkv_bias, attention_output_bias, feed_forward_bias;
  Count<R> learned_positions;
  bool relative_positions;  ///< a D x NH projection of positions in each layer (Transformer-XL)
  bool attention_sinks;     ///< one learned logit a query head

  Count<R> experts, experts_per_token, expert_feed_forward, shared_experts;
  Count<R> dense_layers;  ///< that come first and have no experts
  Count<R> moe_every;     ///< of the others, every n-th has experts
  bool router_bias, expert_bias, score_bias;

  Count<R> sliding_window, windowed_layers;
  Count<R> mtp_modules;

  /// Published or rounded counts, used in place of the computed ones.
  Maybe<Quantity<kParam, R>> stated_parameters, stated_active_parameters;

  static constexpr auto fields() {
    constexpr Range kSize{1, 1e7};
    constexpr Range kMaybeSize{0, 1e7};
    constexpr Range kStated{1, 1e18};
    return std::tuple{
        count(&Model::layers, "layers", "L", {1, 1e5}),
        count(&Model::hidden, "hidden", "D", kSize),
        count(&Model::feed_forward, "feedForward", "F", kSize),
        count(&Model::heads, "heads", "N", {1, 1e5}),
        count(&Model::kv_heads, "kvHeads", "K", {1, 1e5}).when("attention", Attention::kGrouped),
        count(&Model::head_dim, "headDim", "H", {1, 1e5}).when("attention", Attention::kGrouped),
        count(&Model::vocabulary, "vocabulary", "V", {1, 1e8}),
        count(&Model::context_length, "contextLength", "T_max", {0, 1e9}).fallback(0),
        flag(&Model::gated_feed_forward, "gatedFeedForward").fallback(1),
        flag(&Model::tied_embeddings, "tiedEmbeddings").fallback(0),
        choice(&Model::attention, "attention", kAttentionNames).fallback(Attention::kGrouped),
        count(&Model::query_rank, "queryRank", "r_q", kMaybeSize)
            .fallback(0)
            .when("attention", Attention::kLatent),
        count(&Model::kv_rank, "kvRank", "r_kv", kSize).when("attention", Attention::kLatent),
        count(&Model::nope_dim, "nopeDim", "H_nope", kSize).when("attention", Attention::kLatent),
        count(&Model::rope_dim, "ropeDim", "H_rope", kMaybeSize)
            .when("attention", Attention::kLatent),
        count(&Model::value_dim, "valueDim", "H_v", kSize).when("attention", Attention::kLatent),
        choice(&Model::norm, "norm", kNormNames).fallback(Norm::kRmsNorm),
        count(&Model::norms_per_layer, "normsPerLayer", "n_norm", {0, 16}).fallback(2),
        flag(&Model::embedding_norm, "embeddingNorm").fallback(0),
        choice(&Model::qk_norm, "qkNorm", kQkNormNames).fallback(QkNorm::kNone),
        flag(&Model::qkv_bias, "qkvBias").fallback(0),
        flag(&Model::attention_output_bias, "attentionOutputBias").fallback(0),
        flag(&Model::feed_forward_bias, "feedForwardBias").fallback(0),
        count(&Model::learned_positions, "learnedPositions", "T_pos", {0, 1e9}).fallback(0),
        flag(&Model::relative_positions, "relativePositions").fallback(0),
        flag(&Model::attention_sinks, "attentionSinks").fallback(0),
        count(&Model::experts, "experts", "E", {0, 1e6}).fallback(0),
        count(&Model::experts_per_token, "expertsPerToken", "k", {1, 1e6}).when_positive("experts"),
        count(&Model::expert_feed_forward, "expertFeedForward", "F_e", kSize)
            .when_positive("experts"),
        count(&Model::shared_experts, "sharedExperts", "S_e", {0, 1e6})
            .fallback(0)
            .when_positive("experts"),
        count(&Model::dense_layers, "denseLayers", "L_dense", {0, 1e5})
            .fallback(0)
            .when_positive("experts"),
        count(&Model::moe_every, "moeEvery", "n_moe", {1, 1e5})
            .fallback(1)
            .when_positive("experts"),
        flag(&Model::router_bias, "routerBias").fallback(0).when_positive("experts"),
        flag(&Model::expert_bias, "expertBias").fallback(0).when_positive("experts"),
        flag(&Model::score_bias, "scoreBias").fallback(0).when_positive("experts"),
        count(&Model::sliding_window, "slidingWindow", "w", {0, 1e9}).fallback(0),
        count(&Model::windowed_layers, "windowedLayers", "L_w", {0, 1e5})
            .fallback(0)
            .when_positive("slidingWindow"),
        count(&Model::mtp_modules, "mtpModules", "n_mtp", {0, 64}).fallback(0),
        number(&Model::stated_parameters, "statedParameters", "P_stated", kStated),
        number(&Model::stated_active_parameters, "statedActiveParameters", "P_active,stated",
               kStated),
    };
  }

  bool sparse() const { return experts.value() > 0; }
};

}  // namespace scaling
