// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"
#include "scaling/input/layer_pattern.hpp"

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

/// A gate on the result of attention, made from the hidden state.
enum class OutputGate : std::uint8_t { kNone, kHeadwise, kElementwise };
inline constexpr const char* kOutputGateNames[] = {"none", "headwise", "elementwise"};

enum class LinearAttention : std::uint8_t {
  kGatedDeltaNet,  ///< one decay a head (Qwen3-Next, Qwen3.5)
  kKimiDelta,      ///< one decay for each number of a key (Kimi Linear, Kimi K3)
  kLightning,      ///< a fixed decay for each head (MiniMax-Text-01, Ling 2.5)
};
inline constexpr const char* kLinearAttentionNames[] = {"gatedDeltaNet", "kimiDelta", "lightning"};

template <class R>
class ModelKernels;

/// The place where the kernels of a model's layers are compiled. Copies of the model, which may
/// live longer, have the address of another in it, and use none.
template <class R>
struct CompiledKernels {
  const ModelKernels<R>* at = nullptr;
  const void* of = nullptr;
};

/// A decoder-only transformer. Sizes are in elements; symbols are the book's.
template <class R>
struct Model {
  static constexpr const char* kGroup = "model";
  static constexpr const char* kPrefix = "model.";
  template <class T>
  struct Slot {
    T model;
    static constexpr T Slot::*kMember = &Slot::model;
  };

  // Numbers of a part come before its choices and flags, which so share words of memory.
  Count<R> layers, hidden, feed_forward, heads, kv_heads, head_dim, vocabulary, context_length;

  Count<R> query_rank;                   ///< 0: queries are not compressed
  Count<R> kv_rank, nope_dim, rope_dim;  ///< latent attention
  Count<R> value_dim;                    ///< 0: as wide as keys, of latent ones without rotation
  Count<R> output_groups, output_rank;   ///< of an output projection in two steps; 0: in one
  Attention attention;
  OutputGate output_gate;
  bool key_is_value;        ///< layers of full attention have no projection of values
  bool shared_key_value;    ///< one vector is key and value, in every layer of attention
  bool gated_feed_forward;  ///< three matrices (SwiGLU, GeGLU) instead of two
  bool tied_embeddings;     ///< input and output share one matrix

  Count<R> norms_per_layer, learned_positions;
  Norm norm;
  bool embedding_norm;
  QkNorm qk_norm;
  bool qkv_bias, attention_output_bias, feed_forward_bias, head_bias;
  bool relative_positions;  ///< a D x NH projection of positions in each layer (Transformer-XL)
  bool attention_sinks;     ///< one learned logit a query head

  Count<R> experts, experts_per_token, expert_feed_forward, shared_experts;
  Count<R> dense_layers;                ///< first layers, which have no experts
  Count<R> moe_every;                   ///< every n-th of the others has experts
  Count<R> shared_expert_feed_forward;  ///< 0: as an expert
  Count<R> expert_latent;               ///< width of experts' inputs and results; 0: the hidden one
  Count<R> dense_beside_experts;        ///< width of a dense part in layers with experts; 0: none
  Count<R> routed_groups;  ///< of experts, in which those of a token lie; 0: any number
  Count<R> zero_experts;   ///< that a router may choose besides, and that give what they take
  Count<R> hash_layers;    ///< first ones with experts, which a table of tokens chooses
  bool router_bias, expert_bias, score_bias;
  bool shared_expert_gate;  ///< a number for each token
  bool expert_latent_norm;
  bool router_scale;  ///< scales the router's input, and each expert

  bool window_sinks;
  Count<R> sliding_window, windowed_layers;
  Count<R> window_heads, window_kv_heads, window_head_dim, window_value_dim;  ///< 0: as others

  Count<R> index_top_k;  ///< tokens, or blocks of index_block tokens, that a query sees; 0: all
  Count<R> index_heads, index_head_dim, index_block;
  Count<R> index_layers;  ///< sparse layers with an indexer; 0: all

  LinearAttention linear_attention;
  Count<R> linear_key_heads, linear_value_heads, linear_key_dim, linear_value_dim;
  Count<R> linear_convolution;
  Count<R> linear_gate_rank;  ///< 0: the output's gate is made in one step
  bool linear_qk_norm;        ///< of lightning attention, for each head

  Count<R> mamba_heads, mamba_head_dim, mamba_state, mamba_groups, mamba_convolution;
  Count<R> mamba_rank;  ///< of the steps of Mamba-1, whose heads are channels; 0: Mamba-2
  bool mamba_norm;      ///< of what the scan gives; in Mamba-1 of the steps, B and C
  bool tower_gated;     ///< feed-forward parts of what makes tokens of images

  Count<R> short_convolution;     ///< taps of layers that mix tokens by a gated convolution alone
  Count<R> convolution_channels;  ///< 0: as the hidden state has

  Count<R> per_layer_input;       ///< width of a token's own input to each layer; 0: none
  Count<R> per_layer_vocabulary;  ///< rows of the table of these inputs; 0: as many as of tokens

  Count<R> residual_streams;  ///< streams of hyper-connections; 0: one, without them
  Count<R> residual_block;    ///< layers whose sum later ones attend to; 0: none

  Count<R> mtp_modules;

  // A tower of layers over patches makes tokens of images, with a projector behind it.
  Count<R> tower_layers;  ///< 0: no tower, and no image
  Count<R> tower_hidden, tower_feed_forward, tower_heads;
  Count<R> tower_head_dim;                       ///< 0: the hidden size over the heads
  Count<R> tower_window, tower_windowed_layers;  ///< patches that one sees there; 0: all
  Quantity<kParam, R> tower_rest;  ///< patch embedding, positions, merging: beside the layers
  Quantity<kParam, R> projector_parameters;
  Count<R> image_patches;            ///< tokens of an image inside the tower
  Quantity<kToken, R> image_tokens;  ///< that it is to the language model

  /// Published or rounded counts, used in place of the computed ones.
  Maybe<Quantity<kParam, R>> stated_parameters, stated_active_parameters;

  mutable CompiledKernels<R> compiled;  ///< no part of its value

  /// Replaces the counts of dense, sparse and windowed layers. It is by far the largest member: all
  /// others would have long offsets behind it.
  LayerPattern pattern;

  static constexpr auto fields() {  // NOLINT(readability-function-size): a table
    constexpr Range kSize{1, 1e7};
    constexpr Range kMaybeSize{0, 1e7};
    constexpr Range kStated{1, 1e18};
    return Fields{
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
        text(&Model::pattern, "layerPattern", kPatternLetters).rare(),
        count(&Model::query_rank, "queryRank", "r_q", kMaybeSize).rare().fallback(0),
        count(&Model::kv_rank, "kvRank", "r_kv", kSize).when("attention", Attention::kLatent),
        count(&Model::nope_dim, "nopeDim", "H_nope", kSize)
            .rare()
            .when("attention", Attention::kLatent),
        count(&Model::rope_dim, "ropeDim", "H_rope", kMaybeSize)
            .rare()
            .when("attention", Attention::kLatent),
        count(&Model::value_dim, "valueDim", "H_v", kMaybeSize).rare().fallback(0),
        choice(&Model::output_gate, "outputGate", kOutputGateNames)
            .rare()
            .fallback(OutputGate::kNone),
        flag(&Model::key_is_value, "keyIsValue")
            .rare()
            .fallback(0)
            .when("attention", Attention::kGrouped),
        flag(&Model::shared_key_value, "sharedKeyValue")
            .rare()
            .fallback(0)
            .when("attention", Attention::kGrouped),
        count(&Model::output_groups, "outputGroups", "g_o", {0, 1e5}).rare().fallback(0),
        count(&Model::output_rank, "outputRank", "r_o", kSize).rare().when_positive("outputGroups"),
        choice(&Model::norm, "norm", kNormNames).rare().fallback(Norm::kRmsNorm),
        count(&Model::norms_per_layer, "normsPerLayer", "n_norm", {0, 16}).rare().fallback(2),
        flag(&Model::embedding_norm, "embeddingNorm").rare().fallback(0),
        choice(&Model::qk_norm, "qkNorm", kQkNormNames).rare().fallback(QkNorm::kNone),
        flag(&Model::qkv_bias, "qkvBias").rare().fallback(0),
        flag(&Model::attention_output_bias, "attentionOutputBias").rare().fallback(0),
        flag(&Model::feed_forward_bias, "feedForwardBias").rare().fallback(0),
        flag(&Model::head_bias, "headBias").rare().fallback(0),
        count(&Model::learned_positions, "learnedPositions", "T_pos", {0, 1e9}).rare().fallback(0),
        flag(&Model::relative_positions, "relativePositions").rare().fallback(0),
        flag(&Model::attention_sinks, "attentionSinks").rare().fallback(0),
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
            .rare()
            .fallback(1)
            .when_positive("experts"),
        count(&Model::shared_expert_feed_forward, "sharedExpertFeedForward", "F_s", kMaybeSize)
            .rare()
            .fallback(0)
            .when_positive("sharedExperts"),
        flag(&Model::shared_expert_gate, "sharedExpertGate")
            .rare()
            .fallback(0)
            .when_positive("sharedExperts"),
        count(&Model::expert_latent, "expertLatent", "D_e", kMaybeSize)
            .rare()
            .fallback(0)
            .when_positive("experts"),
        count(&Model::routed_groups, "routedGroups", "n_group", {0, 1e6})
            .rare()
            .fallback(0)
            .when_positive("experts"),
        flag(&Model::expert_latent_norm, "expertLatentNorm")
            .rare()
            .fallback(0)
            .when_positive("expertLatent"),
        count(&Model::dense_beside_experts, "denseBesideExperts", "F_d", kMaybeSize)
            .rare()
            .fallback(0)
            .when_positive("experts"),
        flag(&Model::router_scale, "routerScale").rare().fallback(0).when_positive("experts"),
        count(&Model::zero_experts, "zeroExperts", "E_zero", {0, 1e6})
            .rare()
            .fallback(0)
            .when_positive("experts"),
        count(&Model::hash_layers, "hashLayers", "L_hash", {0, 1e5})
            .rare()
            .fallback(0)
            .when_positive("experts"),
        flag(&Model::router_bias, "routerBias").rare().fallback(0).when_positive("experts"),
        flag(&Model::expert_bias, "expertBias").rare().fallback(0).when_positive("experts"),
        flag(&Model::score_bias, "scoreBias").rare().fallback(0).when_positive("experts"),
        count(&Model::sliding_window, "slidingWindow", "w", {0, 1e9}).fallback(0),
        count(&Model::windowed_layers, "windowedLayers", "L_w", {0, 1e5})
            .fallback(0)
            .when_positive("slidingWindow"),
        count(&Model::window_heads, "windowHeads", "N_w", {0, 1e5})
            .rare()
            .fallback(0)
            .when_positive("slidingWindow"),
        count(&Model::window_kv_heads, "windowKvHeads", "K_w", {0, 1e5})
            .rare()
            .fallback(0)
            .when_positive("slidingWindow"),
        count(&Model::window_head_dim, "windowHeadDim", "H_w", {0, 1e5})
            .rare()
            .fallback(0)
            .when_positive("slidingWindow"),
        count(&Model::window_value_dim, "windowValueDim", "H_v,w", {0, 1e5})
            .rare()
            .fallback(0)
            .when_positive("slidingWindow"),
        flag(&Model::window_sinks, "windowSinks").rare().fallback(0).when_positive("slidingWindow"),
        count(&Model::index_top_k, "indexTopK", "k_idx", {0, 1e9}).rare().fallback(0),
        count(&Model::index_heads, "indexHeads", "N_idx", {1, 1e5})
            .rare()
            .when_positive("indexTopK"),
        count(&Model::index_head_dim, "indexHeadDim", "H_idx", {1, 1e5})
            .rare()
            .when_positive("indexTopK"),
        count(&Model::index_block, "indexBlock", "b_idx", {0, 1e6})
            .rare()
            .fallback(0)
            .when_positive("indexTopK"),
        count(&Model::index_layers, "indexLayers", "L_idx", {0, 1e5})
            .rare()
            .fallback(0)
            .when_positive("indexTopK"),
        choice(&Model::linear_attention, "linearAttention", kLinearAttentionNames)
            .rare()
            .fallback(LinearAttention::kGatedDeltaNet)
            .when_in("layerPattern", letters_in("l")),
        count(&Model::linear_key_heads, "linearKeyHeads", "K_lin", {1, 1e5})
            .rare()
            .when_in("layerPattern", letters_in("l")),
        count(&Model::linear_value_heads, "linearValueHeads", "N_lin", {1, 1e5})
            .rare()
            .when_in("layerPattern", letters_in("l")),
        count(&Model::linear_key_dim, "linearKeyDim", "H_k,lin", {1, 1e5})
            .rare()
            .when_in("layerPattern", letters_in("l")),
        count(&Model::linear_value_dim, "linearValueDim", "H_v,lin", {1, 1e5})
            .rare()
            .when_in("layerPattern", letters_in("l")),
        count(&Model::linear_convolution, "linearConvolution", "c_lin", {0, 1e3})
            .rare()
            .fallback(4)
            .when_in("layerPattern", letters_in("l")),
        count(&Model::linear_gate_rank, "linearGateRank", "r_lin", {0, 1e6})
            .rare()
            .fallback(0)
            .when("linearAttention", LinearAttention::kKimiDelta),
        flag(&Model::linear_qk_norm, "linearQkNorm")
            .rare()
            .fallback(0)
            .when("linearAttention", LinearAttention::kLightning),
        count(&Model::mamba_heads, "mambaHeads", "N_ssm", {1, 1e5})
            .rare()
            .when_in("layerPattern", letters_in("m")),
        count(&Model::mamba_head_dim, "mambaHeadDim", "H_ssm", {1, 1e5})
            .rare()
            .when_in("layerPattern", letters_in("m")),
        count(&Model::mamba_state, "mambaState", "S_ssm", {1, 1e5})
            .rare()
            .when_in("layerPattern", letters_in("m")),
        count(&Model::mamba_groups, "mambaGroups", "g_ssm", {1, 1e5})
            .rare()
            .fallback(1)
            .when_in("layerPattern", letters_in("m")),
        count(&Model::mamba_convolution, "mambaConvolution", "c_ssm", {0, 1e3})
            .rare()
            .fallback(4)
            .when_in("layerPattern", letters_in("m")),
        count(&Model::mamba_rank, "mambaRank", "r_ssm", {0, 1e6})
            .rare()
            .fallback(0)
            .when_in("layerPattern", letters_in("m")),
        flag(&Model::mamba_norm, "mambaNorm")
            .rare()
            .fallback(1)
            .when_in("layerPattern", letters_in("m")),
        count(&Model::short_convolution, "shortConvolution", "c_conv", {1, 1e3})
            .rare()
            .fallback(3)
            .when_in("layerPattern", letters_in("v")),
        count(&Model::convolution_channels, "convolutionChannels", "D_conv", kMaybeSize)
            .rare()
            .fallback(0)
            .when_in("layerPattern", letters_in("v")),
        count(&Model::per_layer_input, "perLayerInput", "D_ple", kMaybeSize).rare().fallback(0),
        count(&Model::per_layer_vocabulary, "perLayerVocabulary", "V_ple", {0, 1e8})
            .rare()
            .fallback(0)
            .when_positive("perLayerInput"),
        count(&Model::residual_streams, "residualStreams", "n_hc", {0, 64}).rare().fallback(0),
        count(&Model::residual_block, "residualBlock", "L_res", {0, 1e5}).rare().fallback(0),
        count(&Model::mtp_modules, "mtpModules", "n_mtp", {0, 64}).rare().fallback(0),
        count(&Model::tower_layers, "towerLayers", "L_vit", {0, 1e5}).rare().fallback(0),
        count(&Model::tower_hidden, "towerHidden", "D_vit", kSize)
            .rare()
            .when_positive("towerLayers"),
        count(&Model::tower_feed_forward, "towerFeedForward", "F_vit", kSize)
            .rare()
            .when_positive("towerLayers"),
        count(&Model::tower_heads, "towerHeads", "N_vit", {1, 1e5})
            .rare()
            .when_positive("towerLayers"),
        count(&Model::tower_head_dim, "towerHeadDim", "H_vit", {0, 1e5})
            .rare()
            .fallback(0)
            .when_positive("towerLayers"),
        count(&Model::tower_window, "towerWindow", "w_vit", {0, 1e8})
            .rare()
            .fallback(0)
            .when_positive("towerLayers"),
        count(&Model::tower_windowed_layers, "towerWindowedLayers", "L_w,vit", {0, 1e5})
            .rare()
            .fallback(0)
            .when_positive("towerWindow"),
        flag(&Model::tower_gated, "towerGated").rare().fallback(0).when_positive("towerLayers"),
        number(&Model::tower_rest, "towerRest", "P_vit,rest", {0, 1e12})
            .rare()
            .fallback(0)
            .when_positive("towerLayers"),
        number(&Model::projector_parameters, "projectorParameters", "P_proj", {0, 1e12})
            .rare()
            .fallback(0)
            .when_positive("towerLayers"),
        count(&Model::image_patches, "imagePatches", "n_patch", {1, 1e8})
            .rare()
            .when_positive("towerLayers"),
        count(&Model::image_tokens, "imageTokens", "T_image", {1, 1e8})
            .rare()
            .when_positive("towerLayers"),
        number(&Model::stated_parameters, "statedParameters", "P_stated", kStated),
        number(&Model::stated_active_parameters, "statedActiveParameters", "P_active,stated",
               kStated),
    };
  }

  bool sparse() const { return experts.value() > 0; }
  bool sees() const { return tower_layers.value() > 0; }
};

}  // namespace scaling
