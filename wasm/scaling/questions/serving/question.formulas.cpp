// SPDX-License-Identifier: MIT
#include "scaling/questions/serving/question.hpp"

#include <cmath>
#include <type_traits>

#include "scaling/hardware/kernel_time.hpp"
#include "scaling/hardware/nodes.hpp"
#include "scaling/input/read_groups.hpp"
#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/transformer.hpp"
#include "scaling/questions/serving/conversations.hpp"
#include "scaling/questions/serving/latency.hpp"
#include "scaling/questions/serving/limits.hpp"
#include "scaling/serving/host.hpp"
#include "scaling/serving/load_parts.hpp"

namespace scaling {
namespace {

/// The number of requests at a time: users, or those that the load comes to.
template <class R>
Count<R> sequences_of(const Serving<R>& serving, const LoadChoice& choice) {
  if (serving.by_users()) return serving.users;
  return named_number<term::kSequencesWanted, R>(choice.wanted * choice.groups);
}

/// The servers, and what is bought to have them.
template <class R, class Answers>
void answer_servers(const ServingInput<R>& in, const LoadChoice& choice, Answers& sheet) {
  const auto& serving = in.serving;
  sheet.template put<term::kServers>(scalar<R>(choice.servers));
  sheet.template put<term::kServerChips>(as<kChip>(answering_ways(serving).chips()));
  if (serving.apart) {
    sheet.template put<term::kPrefillServers>(scalar<R>(choice.prefillers));
    sheet.template put<term::kPrefillServerChips>(
        as<kChip>(servers_of(serving, ServerRole::kPrefills).ways.chips()));
  }
  const auto bought = sheet.template put<term::kChipsBought>(bought_chips(in.chip, serving.chips));
  const auto node = node_chips(in.chip);
  if (node.value() <= 1) return;
  sheet.template put<term::kNodeChips>(node);
  sheet.template put<term::kNodes>(bought / node);
}

/// Chips to buy for as many servers as a share of what these can do asks for.
template <class R, class Answers>
void answer_chips_for_load(const ServingInput<R>& in, const LoadChoice& choice, Count<R> used,
                           Count<R> prefilling, Answers& sheet) {
  auto chips = ceil(used * named_number<term::kServersUsed, R>(choice.servers)) *
               as<kChip>(answering_ways(in.serving).chips());
  if (in.serving.apart) {
    chips = chips + ceil(prefilling * named_number<term::kPrefillersUsed, R>(choice.prefillers)) *
                        as<kChip>(servers_of(in.serving, ServerRole::kPrefills).ways.chips());
  }
  sheet.template put<term::kChipsForLoad>(bought_chips(in.chip, chips));
}

template <class R, class Answers>
void answer_memory(const ServingInput<R>& in, const WeightBytes<R>& weights,
                   const LoadChoice& choice, Answers& sheet) {
  const auto& serving = in.serving;
  const auto servers = servers_of(serving, ServerRole::kAnswers);
  const auto& ways = servers.ways;
  const auto room = cache_room(in, weights, servers);
  const auto all = weights.total();
  sheet.template put<term::kServingWeights>(in.model.sees() ? all + weights.tower : all);
  if (in.model.sees()) sheet.template put<term::kTowerBytes>(weights.tower);
  const auto& stated = in.model.stated_parameters;
  sheet.template put<term::kWeightBits>(
      all / (stated.present() ? stated.value : count_parameters(in.model).total));
  const auto on_chip = sheet.template put<term::kWeightsOnChip>(room.weights);
  if (in.serving.on_host()) {
    sheet.template put<term::kWeightsOnHost>(weights.on_host() / ways.pipeline);
  }
  const auto reserved = sheet.template put<term::kReservedOnChip>(in.server.reserved);
  sheet.template put<term::kServingUsable>(on_chip + reserved + room.room);
  sheet.template put<term::kCacheRoom>(max(room.room, Quantity<kByte, R>{}));
  const auto held =
      named_number<term::kSequencesHeld, R>(std::fmin(choice.batch, std::fmax(choice.most, 0))) *
      ways.pipeline * room.mean;
  const auto used = sheet.template put<term::kCacheUsed>(held);
  sheet.template put<term::kServingLeft>(room.capacity - on_chip - reserved - used);
  sheet.template put<term::kServingFits>(scalar<R>(choice.fits ? 1 : 0));
  if (serving.apart) {
    const auto first = cache_room(in, weights, servers_of(serving, ServerRole::kPrefills));
    sheet.template put<term::kPrefillWeightsOnChip>(first.weights);
    sheet.template put<term::kPrefillCacheRoom>(max(first.room, Quantity<kByte, R>{}));
  }

  const auto kv = kv_bytes(in);
  sheet.template put<term::kKvPerToken>(kv.per_token + kv.windowed);
  const auto tokens = serving.prompt() + serving.answer;
  const auto sequence = sheet.template put<term::kKvPerSequence>(kv.of_sequence(tokens));
  const auto of_kind = [&]<const Term & kTerm>(Mixer mixer) {
    const auto bytes = kv_of_mixer(in, mixer, tokens);
    if (bytes.value() > 0) sheet.template put<kTerm>(bytes);
  };
  of_kind.template operator()<term::kKvOfFull>(Mixer::kAttention);
  of_kind.template operator()<term::kKvOfWindowed>(Mixer::kWindowed);
  of_kind.template operator()<term::kKvOfSparse>(Mixer::kSparse);
  of_kind.template operator()<term::kKvOfCompressed>(Mixer::kCompressed);
  of_kind.template operator()<term::kStateOfLinear>(Mixer::kLinear);
  of_kind.template operator()<term::kStateOfMamba>(Mixer::kMamba);
  of_kind.template operator()<term::kStateOfConvolution>(Mixer::kConvolution);
  const auto sequences = sequences_of(serving, choice);
  const auto together = sheet.template put<term::kKvOfSequences>(sequences * sequence);
  sheet.template put<term::kKvBlock>(as<kToken>(in.server.block) * kv_of_layer(in));
  sheet.template put<term::kKvBlocks>(ceil(tokens / as<kToken>(in.server.block)));
  sheet.template put<term::kKvWaste>(room.waste);
  const auto most = sheet.template put<term::kMaxSequences>(
      floor(room.sequences * ways.data * named_number<term::kServersUsed, R>(choice.servers)));
  const auto held_weights = weights.held();
  if (serving.load == ServingLoad::kClosed) {
    // The software may serve fewer at a time than the cache holds.
    const auto by_software =
        in.server.most_sequences * named_number<term::kBatchGroups, R>(choice.groups);
    auto placed = min(most, by_software);
    // A place serves more users than one, as these pause.
    if (serving.pauses()) {
      placed = placed * serving.users /
               named_number<term::kSequencesWanted, R>(choice.wanted * choice.groups);
    }
    sheet.template put<term::kUsersPlaced>(min(serving.users, placed));
  }
  const bool on_host = serving.host_layers.value() > 0;
  const auto total = sheet.template put<term::kMemoryOfLoad>(
      held_weights + (on_host ? (one<R>() - host_share(in).layers) * together : together));
  const auto usable = in.server.share_of == MemoryShareOf::kWhole
                          ? in.server.memory_share * room.capacity - reserved
                          : in.server.memory_share * (room.capacity - reserved);
  if (usable.value() > 0) {
    const auto chips = sheet.template put<term::kChipsForWeights>(as<kChip>(held_weights / usable));
    sheet.template put<term::kSliceForWeights>(slice_of(chips));
    const auto least = sheet.template put<term::kFewestChips>(ceil(as<kChip>(total / usable)));
    sheet.template put<term::kFewestSlice>(slice_of(least));
    sheet.template put<term::kFewestBought>(bought_chips(in.chip, least));
  }
}

template <class R, class Answers>
void answer_cost(const ServingInput<R>& in, const Served<R>& served,
                 const Maybe<Quantity<kDollar / kChip / kHour, R>>& an_hour,
                 Quantity<kToken / kSecond, R> speed, Answers& sheet) {
  const auto& chip = in.chip;
  const auto& serving = in.serving;
  const auto million = constant<kToken, R>(1e6);
  const auto hour = constant<kSecond / kHour, R>(3600);
  const auto read = speed * (serving.prompt() / serving.answer);
  // Prompts pay for the time, or the chips, that they take.
  const auto prompts = serving.apart ? as<kOne>(serving.prefill_chips / serving.chips)
                                     : min(served.busy, scalar<R>(1));
  sheet.template put<term::kCostInput>(when_present(
      [&](auto price) { return price * serving.chips * prompts * (million / read) / hour; },
      an_hour));
  sheet.template put<term::kCostOutput>(when_present(
      [&](auto price) {
        return price * serving.chips * (scalar<R>(1) - prompts) * (million / speed) / hour;
      },
      an_hour));
  sheet.template put<term::kCostAll>(when_present(
      [&](auto price) { return price * serving.chips * (million / speed) / hour; }, an_hour));
  sheet.template put<term::kTokensPerJoule>(
      when_present([&](auto power) { return speed / (power * serving.pue * serving.chips); },
                   if_positive(chip.power)));
}

/// One step without prompts, whatever the load.
template <class R, class Answers>
void answer_decode(const ServingInput<R>& in, const WeightBytes<R>& weights,
                   const Served<R>& served, Count<R> groups, Answers& sheet) {
  const auto& serving = in.serving;
  const auto& cycle = served.cycle;
  const auto ways = answering_ways(serving);
  const auto step = sheet.template put<term::kDecodeStep>(cycle.step);
  sheet.template put<term::kDecodeFloor>(step_floor(in, weights, ways, cycle.decode_tokens));
  sheet.template put<term::kDecodeBound>(
      step_bound(in, weights, ways, cycle.decode_tokens, cycle.decode));
  const auto put = [&]<const Term & kTerm>(Quantity<kSecond, R> time) {
    if (time.value() > 0) sheet.template put<kTerm>(time);
  };
  put.template operator()<term::kDecodeMatmuls>(cycle.decode.matmuls);
  put.template operator()<term::kDecodeAttention>(cycle.decode.attention);
  put.template operator()<term::kDecodeExperts>(cycle.decode.experts);
  put.template operator()<term::kDecodeNetwork>(cycle.decode.network);
  put.template operator()<term::kDecodeElementwise>(cycle.decode.elementwise);
  put.template operator()<term::kDecodeHead>(cycle.decode.head);
  put.template operator()<term::kDecodeLaunches>(cycle.decode.launches);
  put.template operator()<term::kDecodeHost>(cycle.decode.host);
  if (cycle.mixed_steps.value() > 0) sheet.template put<term::kMixedStep>(cycle.mixed);
  if (in.model.sparse()) {
    sheet.template put<term::kExpertsReached>(
        reached_experts(in.model.experts, in.model.experts_per_token,
                        max(cycle.decode_tokens.all() * ways.data, scalar<R>(1))));
  }
  const auto accepted = tokens_of_step(serving.draft_tokens, serving.acceptance);
  if (serving.draft_tokens.value() > 0) {
    sheet.template put<term::kTokensOfStep>(accepted);
    auto single = cycle.decode_tokens;
    single.each = scalar<R>(1);
    const auto alone = step_parts(in, weights, ways, single).total();
    sheet.template put<term::kDraftSpeedup>(accepted * alone / step);
  }
  const bool idle = serving.by_users() && serving.users < groups;
  const auto together = idle ? serving.users : groups * served.batch;
  sheet.template put<term::kReleasedTokens>(served.batch * (serving.prompt() + serving.answer) /
                                            as<kOne>(serving.answer));
  const auto tokens = together * accepted * constant<kToken, R>(1);
  const auto decode = sheet.template put<term::kDecodeSpeed>(tokens / step);
  const auto deciding = servers_of(serving, ServerRole::kAnswers).chips;
  sheet.template put<term::kDecodeSpeedPerChip>(decode / deciding);
  const auto requests = sheet.template put<term::kDecodeRequests>(decode / serving.answer);
  sheet.template put<term::kDecodeRequestsPerChip>(requests / deciding);
}

template <class R, class Answers>
void answer_prefill(const ServingInput<R>& in, const WeightBytes<R>& weights,
                    const Served<R>& served, Answers& sheet) {
  const auto& serving = in.serving;
  const auto ways = answering_ways(serving);
  sheet.template put<term::kPrefillTime>(served.prefill);
  const auto first_ways = servers_of(serving, ServerRole::kPrefills).ways;
  const StepTokens<R> prompt{Count<R>{},
                             Count<R>{},
                             scalar<R>(1),
                             scalar<R>(1),
                             min(as<kOne>(serving.prompt()), as<kOne>(in.server.token_budget)),
                             Count<R>{}};
  sheet.template put<term::kPrefillBound>(
      step_bound(in, weights, first_ways, prompt, step_parts(in, weights, first_ways, prompt)));
  if (serving.images.value() > 0) {
    sheet.template put<term::kPromptWithImages>(serving.first_prompt);
    auto whole = prompt;
    whole.queries = prompt_of(in).fresh;
    sheet.template put<term::kTowerTime>(step_parts(in, weights, first_ways, whole).tower);
  }
  sheet.template put<term::kPrefillBalance>(serving.apart
                                                ? served.balance
                                                : served.prefill * served.batch * ways.data *
                                                      ways.pipeline / served.cycle.time);
}

/// The spread of measurements around expected times. It depends on the model, on whether batches
/// are steady, on whether prompts have chips of their own, and on whether the chip's kernels were
/// measured: for the first token its matmuls, else attention to the cache.
template <class R>
struct Unsure {
  using Share = Constant ServingConstants::*;

  const ServingInput<R>& in;
  bool steady;
  Count<R> wider;

  Count<R> share(Share of_dense, Share of_sparse, Share of_apart, Share of_steady) const {
    auto which = in.model.sparse() ? of_sparse : of_dense;
    if (steady) which = of_steady;
    if (in.serving.apart) which = of_apart;
    const auto found = scalar<R>(in.constants.*which);
    return found.value() < 1 ? found / wider : found * wider;
  }
};

template <class R, class Kernels>
Count<R> unsure_of(const ServingInput<R>& in, const Kernels& kernels) {
  return scalar<R>(kernels[0].fitted ? Constant{1} : in.constants.unmeasured);
}

/// The likely range of the first token's time, which depends on whether users wait for answers
/// before they ask again.
template <class R, class Answers>
void answer_first_range(const ServingInput<R>& in, const Served<R>& served,
                        Quantity<kSecond, R> first, Answers& sheet) {
  using C = ServingConstants;
  const Unsure<R> unsure{in, in.serving.load != ServingLoad::kClosed,
                         unsure_of(in, in.kernels.matmul)};
  const auto low =
      unsure.share(&C::first_low, &C::sparse_first_low, &C::apart_first_low, &C::steady_first_low);
  const auto high = unsure.share(&C::first_high, &C::sparse_first_high, &C::apart_first_high,
                                 &C::steady_first_high);
  // It depends on whether requests come one by one or together. Where that is said, it holds on
  // average, and half of the bracket stays.
  auto least = max(served.first_spread, served.first_floor);
  auto longest = max(served.first_burst, first);
  if (in.serving.together.present()) {
    least = (least + first) / 2.0;
    longest = (longest + first) / 2.0;
  }
  sheet.template put<term::kFirstTokenLow>(max(least * low, served.first_floor));
  sheet.template put<term::kFirstTokenHigh>(longest * high);
}

/// The likely ranges of a further token's time and of the tokens a second.
template <class R, class Answers>
void answer_token_range(const ServingInput<R>& in, const Served<R>& served,
                        Quantity<kSecond, R> token, Quantity<kToken / kSecond, R> speed,
                        Answers& sheet) {
  using C = ServingConstants;
  using enum ServingLoad;
  const auto& serving = in.serving;
  const auto& constants = in.constants;
  Unsure<R> unsure{in, serving.load == kStatic || serving.load == kMost,
                   unsure_of(in, in.kernels.decode)};
  // Software for 4 bits differs most, where batches are as large as it makes them.
  if (serving.load != kClosed && in.server.weights == WeightFormat::kNvfp4) {
    unsure.wider = unsure.wider * scalar<R>(constants.steady_four);
  }
  // How long prompts take beside answers is less sure than the answers, with experts; and how
  // long experts take, on generations of which few served models were measured.
  const bool beside = in.model.sparse() && !unsure.steady && !serving.apart;
  auto prompts = Count<R>{};
  if (beside) {
    if (in.chip.generation != ChipGeneration::kBlackwell) {
      unsure.wider = unsure.wider * scalar<R>(constants.sparse_elsewhere);
    }
    prompts = scalar<R>(constants.sparse_prompts) * unsure.wider * served.busy;
  }
  const auto token_low =
      unsure.share(&C::token_low, &C::sparse_token_low, &C::apart_token_low, &C::steady_token_low);
  const auto token_high = unsure.share(&C::token_high, &C::sparse_token_high, &C::apart_token_high,
                                       &C::steady_token_high);
  sheet.template put<term::kTokenTimeLow>(max(token * token_low, served.token_floor));
  sheet.template put<term::kTokenTimeHigh>(token * (token_high + prompts));
  const auto rate_low =
      unsure.share(&C::rate_low, &C::sparse_rate_low, &C::apart_rate_low, &C::steady_rate_low);
  const auto rate_high =
      unsure.share(&C::rate_high, &C::sparse_rate_high, &C::apart_rate_high, &C::steady_rate_high);
  sheet.template put<term::kOutputSpeedLow>(speed / (scalar<R>(1) / rate_low + prompts));
  sheet.template put<term::kOutputSpeedHigh>(
      min(speed * rate_high, max(served.speed_limit, speed)));
}

/// Waiting, the share of prompts, how far the servers are used, and what that costs.
template <class R, class Answers>
void answer_use(const ServingInput<R>& in, const WeightBytes<R>& weights, const LoadChoice& choice,
                const Maybe<Quantity<kDollar / kChip / kHour, R>>& an_hour, const Served<R>& served,
                Count<R> groups, Quantity<kToken / kSecond, R> speed, Answers& sheet) {
  const auto& serving = in.serving;
  sheet.template put<term::kQueueTime>(served.wait);
  if (served.place.value() > 0) sheet.template put<term::kPlaceTime>(served.place);
  sheet.template put<term::kBeginTime>(served.begin);
  if (served.transfer.value() > 0) sheet.template put<term::kTransferTime>(served.transfer);
  sheet.template put<term::kPrefillShare>(served.busy);
  // The most that a group's cache and batch allow; of the rate, where requests come at one.
  const auto most_held = named_number<term::kSequencesHeld, R>(
      std::fmin(std::fmax(1, choice.most), in.server.most_sequences.value()));
  auto used = named_number<term::kSequencesWanted, R>(choice.wanted) / most_held;
  if (serving.load == ServingLoad::kOpen) {
    const auto full = serving_cycle(in, weights, most_held);
    used = speed / (most_held * groups * serving.answer / full.time);
  }
  used = sheet.template put<term::kUtilisation>(used);
  answer_chips_for_load(in, choice, used, served.busy, sheet);
  answer_cost(in, served, an_hour, speed, sheet);
}

/// The means of lengths that no field states by itself.
template <class R, class Answers>
void answer_lengths(const Serving<R>& serving, Answers& sheet) {
  if (serving.in_turns() || !serving.prompt_list.empty()) {
    sheet.template put<term::kPromptMean>(serving.prompt());
  }
  if (!serving.answer_list.empty()) sheet.template put<term::kAnswerMean>(serving.answer);
}

template <class R, class Answers>
void answer_speed(const ServingInput<R>& in, const WeightBytes<R>& weights,
                  const LoadChoice& choice,
                  const Maybe<Quantity<kDollar / kChip / kHour, R>>& an_hour, Answers& sheet) {
  const auto& serving = in.serving;
  const auto served = serve(in, weights, choice);
  const auto& cycle = served.cycle;
  const auto groups = named_number<term::kBatchGroups, R>(choice.groups);
  sheet.template put<term::kServingBatch>(served.batch);
  sheet.template put<term::kSaturated>(scalar<R>(choice.saturated ? 1 : 0));
  answer_decode(in, weights, served, groups, sheet);
  answer_prefill(in, weights, served, sheet);
  answer_lengths(serving, sheet);
  answer_conversations(in, weights, served, sheet);

  // The most that comes out, if requests never ran out.
  auto most = in.serving.load == ServingLoad::kMost
                  ? served.speed
                  : groups * served.batch * serving.answer / cycle.time;
  if (serving.apart) most = served.speed;
  if (choice.saturated) {
    // Requests pile up: no latency, and no more than the servers give.
    if (has_targets(serving)) {
      sheet.template put<term::kMeetsTargets>(scalar<R>(0));
      sheet.template put<term::kTargetLimit>(scalar<R>(static_cast<double>(TargetLimit::kQueue)));
      answer_goodput(serving, Count<R>{}, most / serving.answer, sheet);
    }
    sheet.template put<term::kOutputSpeed>(most);
    sheet.template put<term::kOutputSpeedUpper>(served.speed_limit);
    const auto wanted = serving.request_rate * serving.answer;
    const auto used = sheet.template put<term::kUtilisation>(wanted / most);
    answer_chips_for_load(in, choice, used, used, sheet);
    return;
  }
  const auto speed = sheet.template put<term::kOutputSpeed>(served.speed);
  sheet.template put<term::kOutputSpeedUpper>(max(served.speed_limit, speed));
  sheet.template put<term::kOutputSpeedPerChip>(speed / serving.chips);
  sheet.template put<term::kRequestSpeed>(speed / serving.answer);
  const auto first = sheet.template put<term::kFirstToken>(max(served.first, served.first_floor));
  sheet.template put<term::kFirstTokenLower>(served.first_floor);
  if (served.first_burst > served.first_spread) {
    sheet.template put<term::kFirstTokenSpread>(max(served.first_spread, served.first_floor));
    sheet.template put<term::kFirstTokenBurst>(max(served.first_burst, served.first_floor));
  }
  const auto token = sheet.template put<term::kTokenTime>(max(served.token, served.token_floor));
  const RequestTimes times(LoadParts<R>(in, weights, choice), served);
  answer_latency(serving, served, first, token, times, sheet);
  if (in.measured()) {
    answer_first_range(in, served, first, sheet);
    answer_token_range(in, served, token, speed, sheet);
  }
  answer_use(in, weights, choice, an_hour, served, groups, speed, sheet);
}

template <class R>
ServingQuestion::Answers<R> answers_of(const ServingInput<R>& in, const LoadChoice& choice) {
  ServingQuestion::Answers<R> sheet;
  const auto weights = weight_bytes(in);
  answer_servers(in, choice, sheet);
  answer_memory(in, weights, choice, sheet);
  answer_limits(in, sheet);
  const auto an_hour = answer_chip_hour(in.chip, in.serving.pue, sheet);
  const auto hour = constant<kSecond / kHour, R>(3600);
  const auto peak = in.chip.peak(Format::kBf16);
  sheet.template put<term::kFlopsPerDollar>(when_present(
      [&](auto price, auto rate) { return rate * hour / price; }, if_positive(an_hour), peak));
  sheet.template put<term::kChipsInBudget>(when_present(
      [&](auto budget, auto price) { return as<kChip>(floor(as<kOne>(budget / price))); },
      in.serving.budget, an_hour));
  // A model that does not fit has no speed.
  if (choice.fits) answer_speed(in, weights, choice, an_hour, sheet);
  return sheet;
}

}  // namespace

/// Adds the tokens of its images to a prompt: as many to each, so that lengths deviate by as many
/// tokens as before.
template <class In>
void add_images(In& in) {
  auto& serving = in.serving;
  if (!(in.model.sees() && serving.images.value() > 0)) return;
  const auto seen = serving.images * in.model.image_tokens;
  const auto text = serving.first_prompt;
  serving.first_prompt = named<term::kPromptWithImages>(text + seen);
  serving.prompt_spread = serving.prompt_spread * (text / serving.first_prompt);
  serving.prompt_list = serving.prompt_list.longer_by(seen.value());
}

template <class R>
ServingQuestion::Typed<R> ServingQuestion::read(const Input& input) {
  Typed<R> typed{QuestionOf::read<R>(input), {}};
  add_images(typed);
  if constexpr (std::is_same_v<R, double>) {
    typed.plain = static_cast<const Groups<double, Chip, Model, Serving, Server>&>(typed);
  } else {
    typed.plain = QuestionOf::read<double>(input);
    add_images(typed.plain);
  }
  return typed;
}

template <class R>
ServingQuestion::Answers<R> ServingQuestion::answer(const Typed<R>& typed,
                                                    const ServingConstants& constants) {
  const CompiledModel<double> plain_kernels(typed.plain.model);
  ServingInput<double> plain(typed.plain, constants);
  const auto plain_weights = weight_bytes(plain);
  plain.find_prefixes(plain_weights);
  const LoadChoice choice = choose_load(plain, plain_weights);
  if constexpr (std::is_same_v<R, double>) {
    return answers_of(plain, choice);
  } else {
    const CompiledModel<R> kernels(typed.model);
    ServingInput<R> in(typed, constants);
    in.find_prefixes(weight_bytes(in));
    return answers_of(in, choice);
  }
}

template Groups<SCALING_REP, Chip, Model, Serving, Server>
ServingQuestion::Input::read<SCALING_REP>() const;
template ServingQuestion::Typed<SCALING_REP> ServingQuestion::read(const Input&);
template ServingQuestion::Answers<SCALING_REP> ServingQuestion::answer(const Typed<SCALING_REP>&,
                                                                       const ServingConstants&);

}  // namespace scaling
