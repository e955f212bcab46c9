// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace scaling {

/// The problems that an input can have. The sentences are in shared/text, in each language.
enum class IssueCode : std::uint8_t {
  // These five: arguments are the field's minimum and maximum.
  kNotANumber,  ///< NaN, or no value where one is needed
  kNotFinite,   ///< infinite
  kNotWhole,    ///< a fraction where a count is meant
  kBelowMinimum,
  kAboveMaximum,
  kUnknownChoice,         ///< not one of the field's choices
  kHeadsNotDivisible,     ///< KV heads do not divide the query heads; arguments: heads
  kMoreThanLayers,        ///< more special layers than layers; arguments: layers
  kMoreThanExperts,       ///< more active experts than experts; arguments: experts
  kMoreThanStated,        ///< more active parameters than parameters; arguments: parameters
  kFormatNotSupported,    ///< the chip has no peak in this format
  kMoreChipsThanNetwork,  ///< arguments: maximum (chips in the slices given), slices (enough of
                          ///< them)
  kSlicesDontDivide,      ///< chips are not a multiple of slices; arguments: chips
  kMoreChipsThanRows,     ///< a dimension divided among more chips than it has elements; arguments:
                          ///< maximum
  kBatchBelowSequence,    ///< a batch smaller than one sequence; arguments: sequenceLength
  kBatchAboveTokens,      ///< a batch larger than the whole training; arguments: tokens
  kMoreChipsThanAxis,     ///< a mesh longer than the torus; arguments: maximum
  kDistanceBeyondAxis,    ///< to a chip that is not there; arguments: maximum
  kRateNotListed,         ///< vector units work, but their rate is not given
  kLevelNotListed,        ///< the chip gives no bandwidth of this memory
  kKeysBelowQueries,      ///< a causal mask with fewer keys than queries; arguments: queries
  kNoExperts,             ///< a part of a layer that the model has not got
  kNoTower,               ///< images for a model without a tower
  kWaysDontDivide,        ///< a layout's ways and a slice's chips; arguments: chips, the degrees
  kTensorDoesntDivideHeads,  ///< arguments: heads, kvHeads
  kContextDoesntDivide,      ///< arguments: sequenceLength, or heads with Ulysses
  kMoreChunksThanLayers,     ///< of a stage; arguments: layers
  kExpertsDontDivide,        ///< arguments: experts
  kExpertWaysDontDivide,     ///< more expert ways than there are ranks for; arguments: ways
  kBlocksDontDivide,         ///< ways cut blocks of a matrix; arguments: width, block
  kShardGroupDoesntDivide,   ///< arguments: ways (data ranks)
  kNoSliceShape,             ///< a torus has no slice of so many; arguments: below, above
  kOddStages,                ///< DualPipe needs an even number
  kBandwidthNotListed,       ///< of a network that the layout needs
  kTextTooLong,              ///< arguments: maximum (characters)
  kPatternUnreadable,        ///< arguments: position (of the first character that does not fit)
  kPatternBrackets,          ///< not closed, not opened, or too deep; arguments: position
  kPatternKinds,             ///< too many that differ; arguments: maximum
  kPatternLayers,            ///< too many; arguments: maximum
  kPatternNoKeys,            ///< a layer shares keys that no earlier one has; argument: position
  kPatternSum,               ///< other layers than the model has; arguments: layers, pattern
  kStagesUnreadable,         ///< arguments: position (of the first character that does not fit)
  kStagesEnds,               ///< a list of stages without E first and L last, each once
  kStagesModules,            ///< MTP modules before a layer, or in several parts
  kStagesMost,               ///< too many parts; arguments: maximum
  kStagesCount,              ///< other parts than the layout has; arguments: parts, given
  kStagesModulesSum,         ///< other modules than the model has; arguments: modules, given
  kLengthsUnreadable,        ///< arguments: position (of the first character that does not fit)
  kLengthsMost,              ///< too many that differ; arguments: maximum
  kPartNeeded,               ///< a size of a part that the model's layers have
  kNoSuchLayers,             ///< a kind of layer that the model has not got
  kNoScores,                 ///< scores of a mixer that keeps a state
  kGroupsDontDivide,         ///< groups of heads that are not of one size; arguments: heads
  kHostAlone,                ///< several chips of a stage, of which a host holds layers or experts
  // Notices: the answers stand, but the reader should know.
  kContextExceeded,    ///< sequences longer than the model was made for; arguments: contextLength
  kNotWholeSequences,  ///< the batch is not a whole number of sequences; arguments: sequences
  kIdleChips,          ///< fewer tokens in the batch than chips; arguments: batchTokens
  kTileTooLarge,       ///< blocks that do not fit a core's memory; arguments: maximum, bytes
  kOperandsTooLarge,   ///< more than the memory that they should lie in; arguments: maximum, bytes
  kVectorWorkNotCounted,  ///< vector units work beside matrix units, but their rate is not given
  kIdleReplicas,          ///< more replicas than sequences; arguments: replicas, sequences
  kMfuAbovePeak,          ///< attention counted, the MFU is more than the peak; arguments: mfuExact
  kFlopsOvercounted,      ///< MFU is above 1 by the chosen rule; arguments: mfu, mfuExact
  kPlacementsLeftOut,     ///< a torus so large that not all ways to place a layout are tried
  kNoSwitchAdds,          ///< reduction in a network whose switches add nothing up
  kIdleInDomains,         ///< chips of domains that ways do not divide; arguments: used, chips
  kSlicesJoined,  ///< more chips than a torus has, so several are joined; arguments: slices, chips
  kComputesInFp16,  ///< the chip has no peak in bf16, and computes in fp16 instead
  kNotWholeNodes,   ///< chips that are not sold so; arguments: of a node, bought
};

/// Numbers that a sentence names, at most.
inline constexpr std::size_t kMostArguments = 4;

/// One finding about one field.
struct Issue {
  IssueCode code;
  const char* group;
  const char* field;
  std::array<double, kMostArguments> arguments;
};

/// The fault in a text, and the number that its sentence names.
struct TextFault {
  IssueCode code;
  double argument;
};

/// The names under which an issue's code and arguments cross into JavaScript.
struct IssueName {
  const char* code;
  std::array<const char*, kMostArguments> arguments;
};

inline constexpr auto kIssueNames = std::to_array<IssueName>({
    {"notANumber", {"minimum", "maximum"}},
    {"notFinite", {"minimum", "maximum"}},
    {"notWhole", {"minimum", "maximum"}},
    {"belowMinimum", {"minimum", "maximum"}},
    {"aboveMaximum", {"minimum", "maximum"}},
    {"unknownChoice", {}},
    {"headsNotDivisible", {"heads"}},
    {"moreThanLayers", {"layers"}},
    {"moreThanExperts", {"experts"}},
    {"moreThanStated", {"parameters"}},
    {"formatNotSupported", {}},
    {"moreChipsThanNetwork", {"maximum", "slices"}},
    {"slicesDontDivide", {"chips"}},
    {"moreChipsThanRows", {"maximum"}},
    {"batchBelowSequence", {"sequenceLength"}},
    {"batchAboveTokens", {"tokens"}},
    {"moreChipsThanAxis", {"maximum"}},
    {"distanceBeyondAxis", {"maximum"}},
    {"rateNotListed", {}},
    {"levelNotListed", {}},
    {"keysBelowQueries", {"queries"}},
    {"noExperts", {}},
    {"noTower", {}},
    {"waysDontDivide", {"chips", "tensor", "context", "pipeline"}},
    {"tensorDoesntDivideHeads", {"heads", "kvHeads"}},
    {"contextDoesntDivide", {"maximum"}},
    {"moreChunksThanLayers", {"layers"}},
    {"expertsDontDivide", {"experts"}},
    {"expertWaysDontDivide", {"ways"}},
    {"blocksDontDivide", {"width", "block"}},
    {"shardGroupDoesntDivide", {"ways"}},
    {"noSliceShape", {"below", "above"}},
    {"oddStages", {}},
    {"bandwidthNotListed", {}},
    {"textTooLong", {"maximum"}},
    {"patternUnreadable", {"position"}},
    {"patternBrackets", {"position"}},
    {"patternKinds", {"maximum"}},
    {"patternLayers", {"maximum"}},
    {"patternNoKeys", {"position"}},
    {"patternSum", {"layers", "pattern"}},
    {"stagesUnreadable", {"position"}},
    {"stagesEnds", {}},
    {"stagesModules", {}},
    {"stagesMost", {"maximum"}},
    {"stagesCount", {"parts", "given"}},
    {"stagesModulesSum", {"modules", "given"}},
    {"lengthsUnreadable", {"position"}},
    {"lengthsMost", {"maximum"}},
    {"partNeeded", {}},
    {"noSuchLayers", {}},
    {"noScores", {}},
    {"groupsDontDivide", {"heads"}},
    {"hostAlone", {}},
    {"contextExceeded", {"contextLength"}},
    {"notWholeSequences", {"sequences"}},
    {"idleChips", {"batchTokens"}},
    {"tileTooLarge", {"maximum", "bytes"}},
    {"operandsTooLarge", {"maximum", "bytes"}},
    {"vectorWorkNotCounted", {}},
    {"idleReplicas", {"replicas", "sequences"}},
    {"mfuAbovePeak", {"mfuExact"}},
    {"flopsOvercounted", {"mfu", "mfuExact"}},
    {"placementsLeftOut", {}},
    {"noSwitchAdds", {}},
    {"idleInDomains", {"used", "chips"}},
    {"slicesJoined", {"slices", "chips"}},
    {"computesInFp16", {}},
    {"notWholeNodes", {"node", "bought"}},
});

/// A list of findings, with room for more than any input has fields: each has one at most before
/// their relations are checked. See the assertion in check.cpp.
class Issues {
 public:
  static constexpr std::size_t kMost = 256;

  void add(IssueCode code, const char* group, const char* field, double first = 0,
           double second = 0, double third = 0, double fourth = 0) {
    if (size_ < items_.size()) {
      items_[size_++] = {code, group, field, {first, second, third, fourth}};
    }
  }

  bool empty() const { return size_ == 0; }
  std::span<const Issue> items() const { return std::span(items_).first(size_); }

 private:
  std::array<Issue, kMost> items_;  // not zeroed on each call: only what is added is read
  std::size_t size_ = 0;
};

}  // namespace scaling
