// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/tuning.hpp"

namespace scaling {

/// The training states that are divided among the chips rather than held by each.
enum class StateSharding : std::uint8_t {
  kNone,        ///< plain data parallelism (DDP)
  kOptimizer,   ///< ZeRO-1
  kGradients,   ///< ZeRO-2
  kParameters,  ///< ZeRO-3, FSDP
};
inline constexpr const char* kStateShardingNames[] = {"none", "optimizer", "gradients",
                                                      "parameters"};

/// The tensors kept from the forward pass for the backward pass.
enum class CheckpointRule : std::uint8_t {
  kCopies,                ///< n tensors of the size of the hidden state a layer (book, ch. 4 and 6)
  kBigMatmuls,            ///< the hidden state and the two wide MLP outputs (book, ch. 5)
  kModernLayer,           ///< all that a layer with RMSNorm, GQA, SwiGLU and FlashAttention saves
  kKorthikantiSelective,  ///< a GPT layer without its attention scores
  kKorthikantiNone,       ///< all of a GPT layer
};
inline constexpr const char* kCheckpointRuleNames[] = {"copies", "bigMatmuls", "modernLayer",
                                                       "korthikantiSelective", "korthikantiNone"};

/// The count of a token's FLOPs.
enum class FlopsRule : std::uint8_t {
  kSixN,        ///< 6 FLOPs for each active parameter
  kSixNMatmul,  ///< the same without the input embedding, which is a lookup
  kExact,       ///< each matmul, with attention
};
inline constexpr const char* kFlopsRuleNames[] = {"sixN", "sixNMatmul", "exact"};

enum class AttentionMask : std::uint8_t { kCausal, kFull };
inline constexpr const char* kAttentionMaskNames[] = {"causal", "full"};

enum class AttentionKernel : std::uint8_t {
  kFlash,  ///< scores stay in the core's memory
  kNaive,  ///< scores go to memory and back, twice
};
inline constexpr const char* kAttentionKernelNames[] = {"flash", "naive"};

/// A training, whichever layout it has: how much of what, on how many chips, by which conventions.
template <class R>
struct TrainingJob : Tuning<R>, DataSet<R> {
  Quantity<kChip, R> chips;
  Count<R> slices;  ///< pods, joined by the scale-out network; states are copied in each
  Quantity<kToken, R> batch_tokens, sequence_length;

  Format compute_format, weight_format, activation_format;
  FlopsRule flops_rule;
  AttentionMask attention_mask;
  bool count_lm_head;

  Count<R> pue;

  /// Tokens that it goes through in all. Examples that are not packed are padded to a sequence.
  Quantity<kToken, R> all_tokens() const {
    if (this->corpus == Corpus::kTokens) return this->tokens;
    const auto each = this->packing ? this->example_tokens : sequence_length;
    return this->examples * this->epochs * each;
  }

  /// Tokens that attention sees at most: of packed examples, those of one.
  Quantity<kToken, R> attention_length() const {
    if (this->corpus == Corpus::kTokens || !this->packing) return sequence_length;
    return min(this->example_tokens, sequence_length);
  }
};

/// Assumptions about a training without a layout. A layout says these things itself, or they follow
/// from it.
template <class R>
struct LayoutAssumptions {
  Count<R> mfu;
  Quantity<kByte / kParam, R> gradient_bytes, optimizer_bytes;
  StateSharding state_sharding;
  CheckpointRule checkpoint_rule;
  Count<R> checkpoints_per_layer;
};

/// A training as links and forms have it: one group of fields.
template <class R>
struct Run : TrainingJob<R>, LayoutAssumptions<R> {
  static constexpr const char* kGroup = "run";
  static constexpr const char* kPrefix = "";
  template <class T>
  struct Slot {
    T run;
    static constexpr T Slot::*kMember = &Slot::run;
  };

  static constexpr auto fields() { return machines() + tuning() + data() + conventions(); }

 private:
  static constexpr Range kTokens{1, 1e18};

  static constexpr std::uint32_t kTuned =
      choice_mask(Trained::kLast, Trained::kLora, Trained::kQlora);

  /// The tokens of a fine-tuning: those of as many examples as are asked for by default.
  static constexpr Instead kTunedTokens{10000.0 * 1024 * 3, {{{"trained", kTuned}}}};

  /// The batch of a fine-tuning [tokens]: 64 examples of 1024, or 16 sequences of 4096. Recipes
  /// have 16 (QLoRA, appendix B) to 128 (tatsu-lab/stanford_alpaca) of either.
  static constexpr Instead kTunedBatch{
      65536, {{{"trained", kTuned}, {"corpus", choice_mask(Corpus::kExamples)}}}};

  static constexpr auto machines() {
    return Fields{
        count(&Run::chips, "chips", "n", {1, 1e9}).asked().for_targets().fallback(8960),
        count(&Run::slices, "slices", "n_slice", {1, 1e6}).asked().fallback(1),
    };
  }

  static constexpr auto tuning() {
    return Fields{
        choice(&Run::trained, "trained", kTrainedNames)
            .for_targets()
            .about(Topic::kTuning)
            .fallback(Trained::kAll),
        count(&Run::trained_layers, "trainedLayers", "L_train", {1, 1e5})
            .for_targets()
            .about(Topic::kTuning)
            .fallback(4)
            .when("trained", Trained::kLast),
        flag(&Run::train_head, "trainHead")
            .rare()
            .about(Topic::kTuning)
            .fallback(0)
            .when("trained", Trained::kLast),
        count(&Run::lora_rank, "loraRank", "r", {1, 65536})
            .for_targets()
            .about(Topic::kTuning)
            .doubling()
            .fallback(16)
            .when("trained", Trained::kLora, Trained::kQlora),
        choice(&Run::lora_targets, "loraTargets", kLoraTargetsNames)
            .about(Topic::kTuning)
            .fallback(LoraTargets::kAll)
            .when("trained", Trained::kLora, Trained::kQlora),
        choice(&Run::base_format, "baseFormat", kBaseFormatNames)
            .about(Topic::kTuning)
            .fallback(BaseFormat::kNf4Double)
            .when("trained", Trained::kQlora),
        count(&Run::images, "imagesPerSequence", "n_image", {0, 1e6})
            .rare()
            .about(Topic::kTuning)
            .fallback(0),
        flag(&Run::train_tower, "trainTower")
            .rare()
            .about(Topic::kTuning)
            .fallback(1)
            .when("trained", Trained::kAll),
    };
  }

  static constexpr auto data() {
    return Fields{
        choice(&Run::corpus, "corpus", kCorpusNames)
            .about(Topic::kTuning)
            .fallback(Corpus::kTokens),
        count(&Run::tokens, "tokens", "n_tokens", kTokens)
            .asked()
            .for_targets()
            .fallback(15e12)
            .or_instead(kTunedTokens)
            .when("corpus", Corpus::kTokens),
        count(&Run::examples, "examples", "n_ex", kTokens)
            .for_targets()
            .about(Topic::kTuning)
            .fallback(10000)
            .when("corpus", Corpus::kExamples),
        count(&Run::example_tokens, "exampleTokens", "T_ex", {1, 1e9})
            .about(Topic::kTuning)
            .doubling()
            .fallback(1024)
            .when("corpus", Corpus::kExamples),
        number(&Run::epochs, "epochs", "n_epoch", {0.001, 1e6})
            .about(Topic::kTuning)
            .fallback(3)
            .when("corpus", Corpus::kExamples),
        flag(&Run::packing, "packing")
            .about(Topic::kTuning)
            .fallback(1)
            .when("corpus", Corpus::kExamples),
    };
  }

  static constexpr auto conventions() {
    return Fields{
        count(&Run::batch_tokens, "batchTokens", "B", {1, 1e12})
            .asked()
            .for_targets()
            .fallback(4194304)
            .or_instead(kTunedBatch),
        count(&Run::sequence_length, "sequenceLength", "T", {1, 1e9})
            .asked()
            .for_targets()
            .doubling()
            .fallback(4096),
        number(&Run::mfu, "mfu", "MFU", {1e-4, 1})
            .asked()
            .for_targets()
            .about(Topic::kEfficiency)
            .in_percent()
            .fallback(0.4),
        choice(&Run::compute_format, "computeFormat", kComputeFormats)
            .for_targets()
            .fallback(Format::kBf16),
        choice(&Run::weight_format, "weightFormat", kStorageFormats)
            .for_targets()
            .about(Topic::kFormats)
            .fallback(Format::kBf16),
        choice(&Run::activation_format, "activationFormat", kStorageFormats)
            .rare()
            .about(Topic::kFormats)
            .fallback(Format::kBf16),
        number(&Run::gradient_bytes, "gradientBytes", "g", {0, 64})
            .rare()
            .about(Topic::kMemory)
            .fallback(0),
        number(&Run::optimizer_bytes, "optimizerBytes", "o", {0, 64})
            .rare()
            .for_targets()
            .about(Topic::kMemory)
            .fallback(8),
        choice(&Run::state_sharding, "stateSharding", kStateShardingNames)
            .for_targets()
            .about(Topic::kMemory)
            .fallback(StateSharding::kParameters),
        choice(&Run::checkpoint_rule, "checkpointRule", kCheckpointRuleNames)
            .for_targets()
            .about(Topic::kMemory)
            .fallback(CheckpointRule::kCopies),
        number(&Run::checkpoints_per_layer, "checkpointsPerLayer", "n_ckpt", {0, 1000})
            .rare()
            .for_targets()
            .about(Topic::kMemory)
            .fallback(4)
            .when("checkpointRule", CheckpointRule::kCopies),
        choice(&Run::flops_rule, "flopsRule", kFlopsRuleNames).fallback(FlopsRule::kSixN),
        choice(&Run::attention_mask, "attentionMask", kAttentionMaskNames)
            .fallback(AttentionMask::kCausal),
        flag(&Run::count_lm_head, "countLmHead").rare().fallback(1),
        number(&Run::pue, "pue", "PUE", {1, 10}).rare().for_targets().fallback(1),
    };
  }
};

}  // namespace scaling
