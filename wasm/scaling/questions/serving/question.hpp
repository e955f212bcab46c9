// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/chip_hour.hpp"
#include "scaling/hardware/nodes.hpp"
#include "scaling/input/question.hpp"
#include "scaling/serving/load.hpp"

namespace scaling {

inline constexpr const char* kServingFitsNames[] = {"no", "yes"};
inline constexpr const char* kSaturatedNames[] = {"no", "yes"};

namespace term {

inline constexpr Dimension kSpeed = kToken / kSecond;

// memory
inline constexpr Term kServingWeights{"servingWeights", "P_bytes", kByte, "book-inference"};
inline constexpr Term kWeightBits{"weightBits", "b_weight", kByte / kParam, "definition"};
inline constexpr Term kWeightsOnChip{"weightsOnChip", "M_weights", kByte, "book-inference"};
inline constexpr Term kPrefillWeightsOnChip{"prefillWeightsOnChip", "M_weights,prefill", kByte,
                                            "book-inference"};
inline constexpr Term kPrefillCacheRoom{"prefillCacheRoom", "M_cache,prefill", kByte,
                                        "paged-attention"};
inline constexpr Term kWeightsOnHost{"weightsOnHost", "M_weights,cpu", kByte, "definition"};
inline constexpr Term kReservedOnChip{"reservedOnChip", "M_reserved", kByte, "definition"};
inline constexpr Term kServingUsable{"servingUsable", "M_use", kByte, "definition"};
inline constexpr Term kCacheRoom{"cacheRoom", "M_cache", kByte, "paged-attention"};
inline constexpr Term kCacheUsed{"cacheUsed", "M_kv", kByte, "paged-attention"};
inline constexpr Term kServingLeft{"servingLeft", "M_left", kByte, "definition"};
inline constexpr Term kServingFits{"servingFits", "", kOne, "definition", kServingFitsNames};
inline constexpr Term kKvPerToken{"kvPerToken", "b_kv,token", kByte / kToken, "book-inference"};
inline constexpr Term kKvPerSequence{"kvPerSequence", "KV", kByte, "book-inference"};
inline constexpr Term kKvOfSequences{"kvOfSequences", "B KV", kByte, "book-inference"};
inline constexpr Term kKvOfFull{"kvOfFull", "KV_full", kByte, "book-inference"};
inline constexpr Term kKvOfWindowed{"kvOfWindowed", "KV_window", kByte, "book-inference"};
inline constexpr Term kKvOfSparse{"kvOfSparse", "KV_sparse", kByte, "definition"};
inline constexpr Term kKvOfCompressed{"kvOfCompressed", "KV_compressed", kByte, "definition"};
inline constexpr Term kStateOfLinear{"stateOfLinear", "S_linear", kByte, "definition"};
inline constexpr Term kStateOfMamba{"stateOfMamba", "S_mamba", kByte, "definition"};
inline constexpr Term kStateOfConvolution{"stateOfConvolution", "S_conv", kByte, "definition"};
inline constexpr Term kKvBlock{"kvBlock", "b_block", kByte, "paged-attention"};
inline constexpr Term kKvBlocks{"kvBlocks", "n_block", kOne, "paged-attention"};
inline constexpr Term kKvWaste = Term{"kvWaste", "w_kv", kOne, "paged-attention"}.in_percent();
inline constexpr Term kMaxSequences{"maxSequences", "B_max", kOne, "book-applied-inference"};
inline constexpr Term kMemoryOfLoad{"memoryOfLoad", "M_all", kByte, "book-applied-inference"};
inline constexpr Term kChipsForWeights{"chipsForWeights", "n_weights", kChip,
                                       "book-applied-inference"};
inline constexpr Term kSliceForWeights{"sliceForWeights", "n_slice", kChip,
                                       "book-applied-inference"};
inline constexpr Term kFewestChips{"fewestChips", "n_least", kChip, "book-applied-inference"};
inline constexpr Term kFewestSlice{"fewestSlice", "n_slice,load", kChip, "book-applied-inference"};
inline constexpr Term kFewestBought{"fewestBought", "n_bought,load", kChip, "definition"};

inline constexpr Term kTowerTime{"towerTime", "T_vit", kSecond, "vit"};
inline constexpr Term kPromptWithImages{"promptWithImages", "T_in,all", kToken, "vit"};

// load
inline constexpr Term kServers{"servers", "n_servers", kOne, "definition"};
inline constexpr Term kServerChips{"serverChips", "n_server", kChip, "definition"};
inline constexpr Term kPrefillServers{"prefillServers", "n_P", kOne, "definition"};
inline constexpr Term kPrefillServerChips{"prefillServerChips", "n_P,chips", kChip, "definition"};
inline constexpr Term kChipsBought{"chipsBought", "n_bought", kChip, "definition"};
inline constexpr Term kNodes{"nodes", "n_nodes", kOne, "definition"};
inline constexpr Term kUsersPlaced{"usersPlaced", "B_placed", kOne, "definition"};
inline constexpr Term kSaturated{"saturated", "", kOne, "definition", kSaturatedNames};
inline constexpr Term kTransferTime{"transferTime", "T_kv", kSecond, "book-applied-inference"};
inline constexpr Term kPrefillBalance{"prefillBalance", "P:G", kOne, "book-applied-inference"};
inline constexpr Term kChipsForLoad{"chipsForLoad", "n_load", kChip, "definition"};
inline constexpr Term kUtilisation = Term{"utilisation", "u_load", kOne, "definition"}.in_percent();

// latency
inline constexpr Term kPrefillBound{"prefillBound", "", kOne, "book-inference", kServingBoundNames};
inline constexpr Term kFirstToken{"firstToken", "TTFT", kSecond, "measured-serving"};
inline constexpr Term kFirstTokenLower{"firstTokenLower", "TTFT_lower", kSecond, "book-inference"};
inline constexpr Term kFirstTokenLow{"firstTokenLow", "TTFT_low", kSecond, "measured-serving"};
inline constexpr Term kFirstTokenHigh{"firstTokenHigh", "TTFT_high", kSecond, "measured-serving"};
inline constexpr Term kTokenTime{"tokenTime", "TPOT", kSecond, "measured-serving"};
inline constexpr Term kTokenTimeLower{"tokenTimeLower", "TPOT_lower", kSecond, "book-inference"};
inline constexpr Term kTokenTimeLow{"tokenTimeLow", "TPOT_low", kSecond, "measured-serving"};
inline constexpr Term kTokenTimeHigh{"tokenTimeHigh", "TPOT_high", kSecond, "measured-serving"};
inline constexpr Term kFirstTokenCached{"firstTokenCached", "TTFT_cached", kSecond, "multi-turn"};
inline constexpr Term kFirstTokenLost{"firstTokenLost", "TTFT_lost", kSecond, "multi-turn"};
inline constexpr Term kFirstTokenTail{"firstTokenTail", "TTFT_p", kSecond, "queueing"};
inline constexpr Term kFirstTokenSpread{"firstTokenSpread", "TTFT_spread", kSecond, "queueing"};
inline constexpr Term kFirstTokenBurst{"firstTokenBurst", "TTFT_burst", kSecond, "queueing"};
inline constexpr Term kFirstTokenP50{"firstTokenP50", "TTFT_50", kSecond, "queueing"};
inline constexpr Term kFirstTokenP90{"firstTokenP90", "TTFT_90", kSecond, "queueing"};
inline constexpr Term kFirstTokenP99{"firstTokenP99", "TTFT_99", kSecond, "queueing"};
inline constexpr Term kTokenTimeP50{"tokenTimeP50", "TPOT_50", kSecond, "queueing"};
inline constexpr Term kTokenTimeP90{"tokenTimeP90", "TPOT_90", kSecond, "queueing"};
inline constexpr Term kTokenTimeP99{"tokenTimeP99", "TPOT_99", kSecond, "queueing"};
inline constexpr Term kFirstRatio{"firstRatio", "TTFT_p/TTFT", kOne, "queueing"};
inline constexpr Term kWholeRatio{"wholeRatio", "T_answer,p/T_answer", kOne, "queueing"};
inline constexpr Term kFirstWithin = Term{"firstWithin", "s_TTFT", kOne, "queueing"}.in_percent();
inline constexpr Term kTokenWithin = Term{"tokenWithin", "s_TPOT", kOne, "queueing"}.in_percent();
inline constexpr Term kWithinTargets =
    Term{"withinTargets", "s_within", kOne, "distserve"}.in_percent();
inline constexpr Term kRequestGoodput{"requestGoodput", "QPS_within", kOne / kSecond, "distserve"};
inline constexpr Term kRequestGoodputPerChip{"requestGoodputPerChip", "QPS_within/n",
                                             kOne / kSecond / kChip, "distserve"};
inline constexpr Term kTokenTail{"tokenTail", "TPOT_p", kSecond, "queueing"};
inline constexpr Term kMeetsTargets{"meetsTargets", "", kOne, "definition", kServingFitsNames};
inline constexpr Term kTargetExcess{"targetExcess", "r_target", kOne, "definition"};
inline constexpr Term kTargetLimit{"targetLimit", "", kOne, "definition", kTargetLimitNames};
inline constexpr Term kChipsInBudget{"chipsInBudget", "n_budget", kChip, "definition"};
inline constexpr Term kAnswerTime{"answerTime", "T_answer", kSecond, "definition"};
inline constexpr Term kAnswerTimeP50{"answerTimeP50", "T_answer,50", kSecond, "queueing"};
inline constexpr Term kAnswerTimeP90{"answerTimeP90", "T_answer,90", kSecond, "queueing"};
inline constexpr Term kAnswerTimeP99{"answerTimeP99", "T_answer,99", kSecond, "queueing"};
inline constexpr Term kAnswerMean{"answerMean", "T_out,mean", kToken, "definition"};

// a step
inline constexpr Term kDecodeFloor{"decodeFloor", "T_step,lower", kSecond, "book-inference"};
inline constexpr Term kDecodeBound{"decodeBound", "", kOne, "book-inference", kServingBoundNames};
inline constexpr Term kExpertsReached{"expertsReached", "E_reached", kOne, "definition"};
inline constexpr Term kTokensOfStep{"tokensOfStep", "n_accepted", kOne, "speculative"};
inline constexpr Term kDraftSpeedup{"draftSpeedup", "s_draft", kOne, "speculative"};
inline constexpr Term kReleasedTokens{"releasedTokens", "n_released", kToken,
                                      "book-applied-inference"};

// throughput
inline constexpr Term kOutputSpeed{"outputSpeed", "X", kSpeed, "measured-serving"};
inline constexpr Term kOutputSpeedLow{"outputSpeedLow", "X_low", kSpeed, "measured-serving"};
inline constexpr Term kOutputSpeedHigh{"outputSpeedHigh", "X_high", kSpeed, "measured-serving"};
inline constexpr Term kOutputSpeedUpper{"outputSpeedUpper", "X_upper", kSpeed, "book-inference"};
inline constexpr Term kDecodeSpeed{"decodeSpeed", "X_decode", kSpeed, "book-inference"};
inline constexpr Term kDecodeSpeedPerChip{"decodeSpeedPerChip", "X_decode/n", kSpeed / kChip,
                                          "book-inference"};
inline constexpr Term kUserSpeed{"userSpeed", "1/TPOT", kSpeed, "definition"};
inline constexpr Term kOutputSpeedPerChip{"outputSpeedPerChip", "X/n", kSpeed / kChip,
                                          "definition"};
inline constexpr Term kRequestSpeed{"requestSpeed", "QPS", kOne / kSecond, "definition"};
inline constexpr Term kDecodeRequests{"decodeRequests", "QPS_decode", kOne / kSecond,
                                      "book-applied-inference"};
inline constexpr Term kDecodeRequestsPerChip{"decodeRequestsPerChip", "QPS/n",
                                             kOne / kSecond / kChip, "book-applied-inference"};

// cost
inline constexpr Term kCostInput{"costInput", "cost_in", kDollar, "definition"};
inline constexpr Term kCostOutput{"costOutput", "cost_out", kDollar, "definition"};
inline constexpr Term kCostAll{"costAll", "cost_all", kDollar, "definition"};
inline constexpr Term kTokensPerJoule{"tokensPerJoule", "X/P", kToken / kJoule, "definition"};
inline constexpr Term kFlopsPerDollar{"flopsPerDollar", "C/p", kFlop / kDollar,
                                      "book-applied-inference"};

// limits in closed form
inline constexpr Term kServingCriticalBatch{"servingCriticalBatch", "B_crit", kOne,
                                            "book-inference"};
inline constexpr Term kMemoryOverNetwork{"memoryOverNetwork", "beta", kOne, "book-inference"};
inline constexpr Term kComputeOverNetwork{"computeOverNetwork", "alpha", kFlop / kByte,
                                          "book-inference"};
inline constexpr Term kDecodeTensorLimit{"decodeTensorLimit", "Y_max", kOne, "book-inference"};
inline constexpr Term kStationaryWays{"stationaryWays", "X_opt", kOne, "book-inference"};
inline constexpr Term kStationaryChips{"stationaryChips", "n_2D", kOne, "book-inference"};

}  // namespace term

/// "How much memory does it take to serve this model, how fast does it answer, and what does that
/// cost?"
struct ServingQuestion : QuestionOf<Chip, Model, Serving, Server> {
  static constexpr const char* kName = "serving";

  /// The batch is chosen on plain numbers.
  template <class R>
  struct Typed : Groups<R, Chip, Model, Serving, Server> {
    Groups<double, Chip, Model, Serving, Server> plain;
  };

  template <class R>
  using Answers = Sheet<
      R, term::kServingWeights, term::kTowerBytes, term::kWeightBits, term::kWeightsOnChip,
      term::kWeightsOnHost, term::kPrefillWeightsOnChip, term::kPrefillCacheRoom,
      term::kReservedOnChip, term::kServingUsable, term::kCacheRoom, term::kCacheUsed,
      term::kServingLeft, term::kServingFits, term::kKvPerToken, term::kKvPerSequence,
      term::kKvOfFull, term::kKvOfWindowed, term::kKvOfSparse, term::kKvOfCompressed,
      term::kStateOfLinear, term::kStateOfMamba, term::kStateOfConvolution, term::kKvOfSequences,
      term::kKvBlock, term::kKvBlocks, term::kKvWaste, term::kMaxSequences, term::kMemoryOfLoad,
      term::kChipsForWeights, term::kSliceForWeights, term::kFewestChips, term::kFewestSlice,
      term::kFewestBought,
      // load
      term::kServers, term::kServerChips, term::kPrefillServers, term::kPrefillServerChips,
      term::kChipsBought, term::kNodeChips, term::kNodes, term::kUsersPlaced, term::kServingBatch,
      term::kSaturated, term::kPrefillShare, term::kQueueTime, term::kPlaceTime,
      term::kTransferTime, term::kBeginTime, term::kPrefillBalance, term::kChipsForLoad,
      term::kUtilisation,
      // latency
      term::kPrefillTime, term::kTowerTime, term::kPromptWithImages, term::kPrefillBound,
      term::kFirstToken, term::kFirstTokenLower, term::kFirstTokenLow, term::kFirstTokenHigh,
      term::kTokenTime, term::kTokenTimeLower, term::kTokenTimeLow, term::kTokenTimeHigh,
      term::kAnswerTime, term::kFirstTokenTail, term::kFirstTokenSpread, term::kFirstTokenBurst,
      term::kTokenTail, term::kMeetsTargets, term::kTargetExcess, term::kTargetLimit,
      term::kChipsInBudget, term::kFirstTokenP50, term::kFirstTokenP90, term::kFirstTokenP99,
      term::kTokenTimeP50, term::kTokenTimeP90, term::kTokenTimeP99, term::kAnswerTimeP50,
      term::kAnswerTimeP90, term::kAnswerTimeP99, term::kWithinTargets, term::kRequestGoodput,
      term::kRequestGoodputPerChip,
      // conversations
      term::kPromptMean, term::kAnswerMean, term::kPrefixFindable, term::kPrefixFound,
      term::kFoundOnHost, term::kFoundOnDisk, term::kConversationsHeld, term::kFetchTime,
      term::kFirstTokenCached, term::kFirstTokenLost,
      // a step
      term::kDecodeStep, term::kDecodeFloor, term::kDecodeBound, term::kDecodeMatmuls,
      term::kDecodeAttention, term::kDecodeExperts, term::kDecodeNetwork, term::kDecodeElementwise,
      term::kDecodeHead, term::kDecodeLaunches, term::kDecodeHost, term::kMixedStep,
      term::kExpertsReached, term::kTokensOfStep, term::kDraftSpeedup, term::kReleasedTokens,
      // throughput
      term::kOutputSpeed, term::kOutputSpeedLow, term::kOutputSpeedHigh, term::kOutputSpeedUpper,
      term::kDecodeSpeed, term::kDecodeSpeedPerChip, term::kUserSpeed, term::kOutputSpeedPerChip,
      term::kRequestSpeed, term::kDecodeRequests, term::kDecodeRequestsPerChip,
      // cost
      term::kChipHourPrice, term::kCostAll, term::kCostInput, term::kCostOutput,
      term::kTokensPerJoule, term::kFlopsPerDollar,
      // limits
      term::kServingCriticalBatch, term::kMemoryOverNetwork, term::kComputeOverNetwork,
      term::kDecodeTensorLimit, term::kStationaryWays, term::kStationaryChips>;

  static constexpr const Term* kFirst[] = {
      &term::kServingFits,  &term::kMeetsTargets, &term::kFirstToken, &term::kTokenTime,
      &term::kDecodeBound,  &term::kOutputSpeed,  &term::kCostAll,    &term::kServers,
      &term::kChipsForLoad, &term::kFewestChips};
  static constexpr AnswerBound kBounds[] = {
      {&term::kFirstTokenLow, BoundKind::kLow, &term::kFirstToken},
      {&term::kFirstTokenHigh, BoundKind::kHigh, &term::kFirstToken},
      {&term::kFirstTokenLower, BoundKind::kLower, &term::kFirstToken},
      {&term::kTokenTimeLow, BoundKind::kLow, &term::kTokenTime},
      {&term::kTokenTimeHigh, BoundKind::kHigh, &term::kTokenTime},
      {&term::kTokenTimeLower, BoundKind::kLower, &term::kTokenTime},
      {&term::kOutputSpeedLow, BoundKind::kLow, &term::kOutputSpeed},
      {&term::kOutputSpeedHigh, BoundKind::kHigh, &term::kOutputSpeed},
      {&term::kOutputSpeedUpper, BoundKind::kUpper, &term::kOutputSpeed},
      {&term::kDecodeFloor, BoundKind::kLower, &term::kDecodeStep}};

  template <class R>
  static Typed<R> read(const Input& input);

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  /// Answers, with other constants than the product's where a fit asks.
  template <class R>
  static Answers<R> answer(const Typed<R>& input,
                           const ServingConstants& constants = kServingConstants);
};

}  // namespace scaling
