// SPDX-License-Identifier: MIT
#include "scaling/questions/reward/reward_step.hpp"

#include <cmath>

#include "scaling/model/transformer.hpp"
#include "scaling/serving/kv_cache.hpp"

namespace scaling {
namespace {

/// Tokens that sequences are padded to a multiple of: kernels and context ways want such.
constexpr double kPadding = 64;

/// Sequences that vLLM's engine works on at a time, as it comes.
constexpr double kEngineSequences = 1024;

/// Forward passes beside the training: of the policy before its updates, of the reference, of a
/// reward model, of the critic.
template <class R>
Count<R> passes_beside(const Reward<R>& reward) {
  const int passes = int{reward.old_pass} + int{reward.reference_pass} + int{reward.with_model} +
                     int{reward.algorithm == RewardAlgorithm::kPpo};
  return named_number<term::kPassesBeside, R>(passes);
}

/// The chips that generate: given, or found.
template <class R>
Quantity<kChip, R> generation_pool(const Pools<R>& pools, const RewardChoice& choice) {
  if (!pools.apart()) return pools.chips;
  const auto& given = pools.generation_chips;
  if (given.present() && given.value.value() == choice.generation_chips) return given.value;
  return named_number<term::kGenerationChips, R>(choice.generation_chips);
}

template <class R>
Quantity<kChip, R> training_pool(const Pools<R>& pools, const RewardChoice& choice) {
  if (!pools.apart()) return pools.chips;
  return pools.chips - generation_pool(pools, choice);
}

/// The rate at which a chip reaches others that are far, or else any.
template <class R>
Quantity<kByte / kSecond, R> rail_of(const Chip<R>& chip) {
  if (chip.scale_out_bandwidth.present()) return of_one_chip(chip.scale_out_bandwidth.value);
  const bool torus = chip.network == Network::kTorus;
  return of_one_chip(torus ? chip.link_bandwidth : chip.scale_up_bandwidth);
}

}  // namespace

template <class R>
SearchInput<R> training_of(const RewardGroups<R>& in, const RewardChoice& choice) {
  const auto& reward = in.reward;
  SearchInput<R> training{{in.chip},
                          {in.model},
                          {read_group<Run, R>(Raw<Run>::defaults())},
                          {read_group<Layout, R>(choice.layout)},
                          {read_group<Stack, R>(Raw<Stack>::defaults())},
                          {read_group<Assumptions, R>(Raw<Assumptions>::defaults())},
                          {read_group<SearchSpace, R>(Raw<SearchSpace>::defaults())}};
  auto& run = training.run;
  run.chips = training_pool(in.pools, choice);
  run.slices = scalar<R>(1);
  const auto padding = constant<kToken, R>(kPadding);
  run.sequence_length = named<term::kPaddedSequence>(
      ceil(as<kOne>((reward.prompt + reward.answer) / padding)) * padding);
  const auto sequences = named<term::kUpdateSequences>(reward.answers() / reward.updates);
  run.batch_tokens = sequences * run.sequence_length;
  run.tokens = run.batch_tokens;
  if (!in.chip.peak_bf16.present()) run.compute_format = Format::kFp16;
  return training;
}

template <class R>
ReplicaInput<R> replica_of(const RewardGroups<R>& in, const Chip<R>& chip, const Model<R>& model,
                           const RewardChoice& choice, Quantity<kByte, R> states) {
  auto serving = Raw<Serving>::defaults();
  serving["load"] = static_cast<double>(ServingLoad::kStatic);
  serving["tensor"] = choice.tensor;
  auto server = Raw<Server>::defaults();
  server["weights"] = static_cast<double>(in.pools.generation_format);
  server["mostSequences"] = kEngineSequences;
  ReplicaInput<R> replica{chip, model, read_group<Serving, R>(serving),
                          read_group<Server, R>(server)};
  replica.serving.chips = generation_pool(in.pools, choice);
  replica.serving.first_prompt = in.reward.prompt;
  replica.serving.answer = in.reward.answer;
  replica.server.memory_share = in.pools.memory_share;
  if (states.value() > 0) replica.server.reserved = replica.server.reserved + states;
  return replica;
}

template <class R>
Generation<R> generation_of(const RewardGroups<R>& in, const ServingInput<R>& replica) {
  const auto& reward = in.reward;
  const auto& pools = in.pools;
  const auto weights = weight_bytes(replica);
  const auto servers = servers_of(replica.serving, ServerRole::kAnswers);
  const auto room = cache_room(replica, weights, servers);
  Generation<R> side;
  side.replicas = named<term::kReplicas>(floor(as<kOne>(servers.chips) / servers.ways.tensor));
  // Steps behind, others' answers take the places of those that end, so that more are at work.
  const bool steady = pools.overlaps() && pools.behind.value() > 1;
  auto& rollout = side.rollout;
  rollout.samples = named<term::kSamplesOfReplica>(ceil(reward.answers() / side.replicas));
  side.holds = room.holds_one(servers.ways);
  const auto fitting = max(floor(room.sequences), scalar<R>(1));
  const auto wanted = steady ? rollout.samples * pools.behind : rollout.samples;
  rollout.slots = named<term::kSlots>(min(wanted, min(fitting, replica.server.most_sequences)));
  const double slots = rollout.slots.value();
  rollout.prompts = std::fmax(1, rollout.samples.value() / reward.samples.value());
  const double together = std::fmin(slots, rollout.samples.value());
  const double all = reward.answers().value();
  const LengthSpread spread{reward.answer.value(), reward.longest.value(), reward.sigma.value()};
  rollout.lengths = reward.answer_list.empty() ? lengths_of(spread, together, all)
                                               : lengths_of(reward.answer_list, together, all);
  side.time = steady ? keep_full(replica, weights, rollout) : drain(replica, weights, rollout);
  side.time.time = pools.generation_factor * side.time.time;
  side.time.tail = pools.generation_factor * side.time.tail;
  side.even = pools.generation_factor * drain_even(replica, weights, rollout);
  side.lower = rollout_floor(replica, weights, rollout);
  const auto& last = rollout.lengths.stretches.back().until;
  const auto length = last == reward.answer.value() ? as<kOne>(reward.answer)
                                                    : named_number<term::kStretchLength, R>(last);
  side.alone = pools.generation_factor * length *
               decode_time(replica, weights, scalar<R>(1), as<kOne>(reward.prompt) + length / 2.0);
  side.weights = room.weights;
  side.used = room.weights + replica.server.reserved + rollout.slots * room.mean;
  return side;
}

template <class R>
TrainingSide<R> training_side(const RewardGroups<R>& in, const SearchInput<R>& training,
                              const SearchInput<double>& plain) {
  const auto& reward = in.reward;
  const bool critic = reward.algorithm == RewardAlgorithm::kPpo;
  const auto step = cost_step<R>(training, choose_for_layout(plain));
  const auto of_step = named<term::kTrainingStep>(step.expected);
  const auto pass = named<term::kForwardPass>(reward.updates * forward_pass(step, training.layout));
  TrainingSide<R> side;
  side.step = of_step;
  side.pass = pass;
  side.log_probs = in.pools.training_factor * passes_beside(reward) * pass;
  side.updates = in.pools.training_factor * reward.updates * of_step;
  side.lower = reward.updates * step.lower;
  if (critic) {
    side.critic = side.updates;
    side.lower = side.lower + side.lower;
  }
  const auto& states = step.memory.states;
  side.states = states.total();
  auto beside = Quantity<kByte, R>{};
  if (reward.reference_pass) beside = beside + states.parameters;
  if (reward.with_model) beside = beside + states.parameters;
  if (critic) beside = beside + states.total();
  side.states = side.states + beside;
  side.memory = step.memory.total() + beside;
  side.own = step.memory.allocated();
  side.fitted = side.own + beside;
  return side;
}

template <class R>
Quantity<kSecond, R> hand_over_time(const RewardGroups<R>& in, const RewardChoice& choice,
                                    const Model<R>& model) {
  const auto& pools = in.pools;
  if (pools.hand_over_time.present()) return pools.hand_over_time.value;
  const auto& constants = kRewardConstants;
  const auto bytes =
      named<term::kHandOverBytes>(constant<kByte / kParam, R>(2) * count_parameters(model).total);
  if (!pools.apart()) return bytes / constant<kByte / kSecond, R>(constants.turn_rate);
  const auto rail = rail_of(linked_chip(in.chip));
  switch (pools.hand_over) {
    case HandOver::kResharded:
      return seconds_of<R>(constants.start_resharded) +
             bytes / (scalar<R>(choice.tensor) * (scalar<R>(constants.share_resharded) * rail));
    case HandOver::kPacked:
      return seconds_of<R>(constants.start_packed) +
             bytes / (scalar<R>(constants.share_packed) * rail);
    case HandOver::kPackedRdma:
      return seconds_of<R>(constants.start_packed) +
             bytes / (scalar<R>(constants.share_rdma) * rail);
    case HandOver::kGathered:
      break;
  }
  return seconds_of<R>(constants.start_resharded) +
         bytes / (scalar<R>(constants.share_gathered) * rail);
}

template SearchInput<SCALING_REP> training_of(const RewardGroups<SCALING_REP>&,
                                              const RewardChoice&);
template ReplicaInput<SCALING_REP> replica_of(const RewardGroups<SCALING_REP>&,
                                              const Chip<SCALING_REP>&, const Model<SCALING_REP>&,
                                              const RewardChoice&, Quantity<kByte, SCALING_REP>);
template Generation<SCALING_REP> generation_of(const RewardGroups<SCALING_REP>&,
                                               const ServingInput<SCALING_REP>&);
template TrainingSide<SCALING_REP> training_side(const RewardGroups<SCALING_REP>&,
                                                 const SearchInput<SCALING_REP>&,
                                                 const SearchInput<double>&);
template Quantity<kSecond, SCALING_REP> hand_over_time(const RewardGroups<SCALING_REP>&,
                                                       const RewardChoice&,
                                                       const Model<SCALING_REP>&);

}  // namespace scaling
