// SPDX-License-Identifier: MIT
#include "scaling/search/serving_division.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "scaling/hardware/nodes.hpp"
#include "scaling/quantity/divisors.hpp"
#include "scaling/serving/server_layout.hpp"

namespace scaling {
namespace {

/// A bound may be as much better than the truth by rounding.
constexpr double kBoundSlack = 1 + 1e-9;
/// Steps with more sequences may take this much less, as they fill a chip better.
constexpr double kUneven = 0.98;
/// Numbers of chips that prefill, at most.
constexpr int kMostSplits = 63;

/// The tensor and data ways of servers of up to so many chips.
constexpr std::size_t tensor_and_data(std::size_t chips) {
  std::size_t all = 0;
  for (std::size_t tensor = 1; tensor <= chips; ++tensor) all += chips / tensor;
  return all;
}

ServingDivision with_prefill(ServingDivision division, const ServerWays<double>& ways) {
  division.prefill_tensor = ways.tensor.value();
  division.prefill_data = ways.data.value();
  division.prefill_expert = ways.expert.value();
  return division;
}

}  // namespace

bool GivenWays::sound() const {
  const std::pair<const FieldInfo*, double> ways[] = {
      {&field_of<Serving>("tensor"), tensor},
      {&field_of<Serving>("attentionData"), data},
      {&field_of<Serving>("expert"), expert},
      {&field_of<Serving>("pipeline"), pipeline},
      {&field_of<Serving>("prefillChips"), prefill_chips},
      {&field_of<Serving>("prefillTensor"), prefill_tensor},
      {&field_of<Serving>("prefillData"), prefill_data},
      {&field_of<Serving>("prefillExpert"), prefill_expert}};
  const bool allowed = std::all_of(std::begin(ways), std::end(ways), [](const auto& each) {
    return each.second == 0 || is_allowed(*each.first, each.second);
  });
  return allowed && (by_batch == -1 || by_batch == 0 || by_batch == 1);
}

double joined_chips(const Chip<double>& chip) {
  if (chip.network != Network::kTorus && chip.scale_out_bandwidth.present()) {
    return kMostServerChips;
  }
  return std::fmin(kMostServerChips, linked_chip(chip).domain_chips().value());
}

StepMemo& search_memo() {
  static StepMemo memo;
  return memo;
}

bool ServingDivision::better_than(const ServingDivision& other) const {
  if (fits != other.fits) return fits;
  if (!fits) return weights < other.weights;
  if (keeps_up != other.keeps_up) return keeps_up;
  const bool met = excess <= 1;
  if (met != (other.excess <= 1)) return met;
  if (!met && excess != other.excess) return excess < other.excess;
  if (speed != other.speed) return speed > other.speed;
  return answer < other.answer;
}

DivisionSearch::DivisionSearch(const ServingInput<double>& in, const GivenWays& given)
    : in_(in),
      given_(given),
      serving_(in.serving),
      server_(in.server),
      asked_(AskedServing{in.chip, in.model, serving_, server_}, in.constants),
      weights_(weight_bytes(asked_)) {
  auto& memo = search_memo();
  memo.clear();
  memo.depth = StepMemo::Depth::kAll;
  asked_.memo = &memo;
  best_.by_batch = in.server.divide_by_batch;
  // The given ways stay if nothing can be divided by them.
  const auto keep = [](double& ways, double fixed) {
    if (fixed > 0) ways = fixed;
  };
  keep(best_.tensor, given.tensor);
  keep(best_.data, given.data);
  keep(best_.expert, given.expert);
  keep(best_.pipeline, given.pipeline);
  keep(best_.prefill_chips, given.prefill_chips);
  keep(best_.prefill_tensor, given.prefill_tensor);
  keep(best_.prefill_data, given.prefill_data);
  keep(best_.prefill_expert, given.prefill_expert);
  if (serving_.apart) {
    if (given_.by_batch < 0) given_.by_batch = in.server.divide_by_batch ? 1 : 0;
    search_apart();
  } else {
    search_together();
  }
}

template <class Visit>
void DivisionSearch::for_each_division(double chips, double most_stages, const GivenWays& given,
                                       Visit visit) {
  const auto& model = in_.model;
  const double most = std::fmin(chips, joined_chips(in_.chip));
  const double heads = model.heads.value();
  const double experts = model.sparse() ? held_experts(in_).value() : 1;
  const double stages = std::fmin(std::fmin(most_stages, model.layers.value()), most);
  const auto from = [](double fixed) { return fixed > 0 ? fixed : 1; };
  const auto to = [](double fixed, double open) { return fixed > 0 ? fixed : open; };
  const double last_stage =
      given.pipeline > 0 ? std::fmin(given.pipeline, model.layers.value()) : stages;
  const auto whole = [](double number) { return static_cast<int>(number); };
  // Ways that are given make servers of any size, and chips that nobody sells so may be one server.
  const bool any_size = given.tensor > 0 || given.data > 0 || given.pipeline > 0;
  const bool odd = !is_bought(in_.chip, serving_.chips.value());
  const auto can_be = [&](double size) {
    return any_size || is_server_size(in_.chip, size) || (odd && size == chips);
  };
  for (int stage = whole(from(given.pipeline)); stage <= whole(last_stage); ++stage) {
    const double pipeline = stage;
    const auto divide = [&](double tensor) {
      if (tensor > heads || tensor * pipeline > most || tensor_fault(in_, tensor)) return;
      const double open_data = model.sparse() ? std::floor(most / (tensor * pipeline)) : 1;
      const int last = whole(to(given.data, open_data));
      for (int way = whole(from(given.data)); way <= last; ++way) {
        const double data = way;
        const double beside = tensor * data;
        if (beside * pipeline > most) break;
        if (!can_be(beside * pipeline)) continue;
        const auto visit_expert = [&](double expert) {
          if (expert > 1 && (!model.sparse() || !divides(expert, beside))) return;
          const ServerWays<double> ways{Count<double>(tensor), Count<double>(data),
                                        Count<double>(expert), Count<double>(pipeline)};
          if (expert_fault(in_, ways)) return;
          ServingDivision candidate;
          candidate.tensor = tensor;
          candidate.data = data;
          candidate.expert = expert;
          candidate.pipeline = pipeline;
          const bool can_split = tensor > heads_of_cache(model).value();
          for (const bool by_batch : {false, true}) {
            if (given.by_batch >= 0 ? by_batch != (given.by_batch > 0) : by_batch && !can_split) {
              continue;
            }
            candidate.by_batch = by_batch;
            ++grid_;
            visit(candidate);
          }
        };
        if (given.expert > 0) {
          visit_expert(given.expert);
        } else {
          const Divisors expert_ways(model.sparse() ? beside : 1, experts);
          for (const double expert : expert_ways.items()) visit_expert(expert);
        }
      }
    };
    if (given.tensor > 0) {
      divide(given.tensor);
    } else {
      // Wide servers first: they are the best ones more often, and then rule others out.
      for (int tensor = static_cast<int>(std::fmin(heads, most)); tensor >= 1; --tensor) {
        divide(tensor);
      }
    }
  }
}

void DivisionSearch::set(const ServingDivision& candidate) {
  serving_.tensor = Count<double>(candidate.tensor);
  serving_.attention_data = Count<double>(candidate.data);
  serving_.expert = Count<double>(candidate.expert);
  serving_.pipeline = Count<double>(candidate.pipeline);
  serving_.prefill_chips = Quantity<kChip, double>(candidate.prefill_chips);
  serving_.prefill_tensor = Count<double>(candidate.prefill_tensor);
  serving_.prefill_data = Count<double>(candidate.prefill_data);
  serving_.prefill_expert = Count<double>(candidate.prefill_expert);
  server_.divide_by_batch = candidate.by_batch;
}

void DivisionSearch::search_together() {
  for_each_division(serving_.chips.value(), kMostServerStages, given_,
                    [&](const ServingDivision& candidate) { consider(candidate); });
}

void DivisionSearch::consider(const ServingDivision& candidate) {
  set(candidate);
  const auto servers = servers_of(serving_, ServerRole::kAnswers);
  const auto room = cache_room(asked_, weights_, servers);
  asked_.find_prefixes(weights_);
  const bool by_rate = serving_.load == ServingLoad::kOpen;
  if (by_rate && can_rule_out() && room.holds_one(servers.ways)) {
    const double prompt = prefill_time(asked_, weights_, servers.ways, 1).value();
    if (soonest_answer(prompt) > best_.answer * kBoundSlack) return;
  }
  const LoadChoice choice = choose_load(asked_, weights_);
  if (!choice.fits) {
    auto division = candidate;
    division.weights = room.weights.value();
    keep(division);
    return;
  }
  if (!by_rate && can_rule_out() && has_no_chance(choice)) return;
  serve_now(candidate, choice);
}

double DivisionSearch::soonest_answer(double prompt) {
  const auto servers = servers_of(serving_, ServerRole::kAnswers);
  const double groups = servers.count() * (servers.ways.data * servers.ways.pipeline).value();
  const double rate = serving_.request_rate.value() / groups;
  const double answer = serving_.answer.value();
  // At least as many are in flight as come while one is answered alone, and so on.
  double batch = 1;
  double token = 0;
  for (int round = 0; round < 3; ++round) {
    const auto cycle = serving_cycle(asked_, weights_, Count<double>(batch));
    token = std::fmax(token, kUneven * cycle.step.value() * (cycle.steps.value() / answer));
    if (prompt + (answer - 1) * token > best_.answer * kBoundSlack) break;
    const double coming = rate * kUneven * cycle.time.value();
    if (coming <= batch) break;
    batch = coming;
  }
  return prompt + (answer - 1) * token;
}

bool DivisionSearch::can_rule_out() const {
  return found_ && best_.fits && best_.keeps_up && best_.excess <= 1;
}

bool DivisionSearch::has_no_chance(const LoadChoice& choice) {
  auto& memo = search_memo();
  memo.depth = StepMemo::Depth::kRanks;
  const double answer = serving_.answer.value();
  const double users = serving_.users.value();
  double most = 0;
  if (serving_.load == ServingLoad::kStatic) {
    // The sum of steps that each take no longer.
    most = serve(asked_, weights_, choice).speed.value();
  } else {
    const auto cycle = serving_cycle(asked_, weights_, Count<double>(choice.batch));
    const double time = cycle.time.value();
    most = choice.groups * choice.batch * answer / time;
    if (serving_.by_users()) {
      // A request waits for its prompt and takes its steps, and no less than a cycle but one step.
      const double steps = cycle.steps.value();
      const double further = std::fmax(steps - 1, 0);
      const double prompt = prefill_time(asked_, weights_, answering_ways(serving_), 1).value();
      const double queued =
          choice.wanted > choice.batch ? (choice.wanted / choice.batch - 1) * time : 0;
      const double least =
          queued + std::fmax(prompt + further * cycle.step.value(), time * further / steps);
      // With pauses between them, all users ask.
      const double asking =
          serving_.pauses() ? users : std::fmin(users, choice.wanted * choice.groups);
      const double pause = serving_.pauses() ? serving_.think.value() : 0;
      most = asking * answer / (least + pause);
    }
  }
  memo.depth = StepMemo::Depth::kAll;
  return most * kBoundSlack < best_.speed;
}

bool DivisionSearch::has_no_chance_apart(const LoadChoice& choice, const Prefill& prefill) {
  auto& memo = search_memo();
  memo.depth = StepMemo::Depth::kRanks;
  const double answer = serving_.answer.value();
  const double users = serving_.users.value();
  const auto cycle = serving_cycle(asked_, weights_, Count<double>(choice.batch));
  memo.depth = StepMemo::Depth::kAll;
  const double time = cycle.time.value();
  double most = std::fmin(choice.groups * choice.batch * answer / time, prefill.rate * answer);
  // Steps are shorter if prompts limit the number of those who are answered.
  const bool limited = prefill.rate / choice.groups * time * kUneven < choice.batch;
  if (serving_.by_users() && !limited) {
    const double steps = cycle.steps.value();
    const double further = std::fmax(steps - 1, 0);
    const double pause = serving_.pauses() ? serving_.think.value() : 0;
    most = std::fmin(most, users * answer / (prefill.time + further * time / steps + pause));
  }
  return most * kBoundSlack < best_.speed;
}

void DivisionSearch::serve_now(const ServingDivision& candidate, const LoadChoice& choice) {
  ++evaluated_;
  const auto served = serve(asked_, weights_, choice);
  auto division = candidate;
  division.fits = true;
  division.weights = weights_of_chip(weights_, answering_ways(serving_)).value();
  division.keeps_up = !choice.saturated;
  if (choice.saturated) {
    const auto& cycle = served.cycle;
    division.speed =
        serving_.apart
            ? served.speed.value()
            : (Count<double>(choice.groups) * served.batch * serving_.answer / cycle.time).value();
  } else {
    division.speed = served.speed.value();
    const double first = std::fmax(served.first.value(), served.first_floor.value());
    const double token = std::fmax(served.token.value(), served.token_floor.value());
    division.excess = target_excess(serving_, served).value();
    division.answer = first + (serving_.answer.value() - 1) * token;
  }
  keep(division);
}

void DivisionSearch::keep(const ServingDivision& division) {
  if (!found_ || division.better_than(best_)) best_ = division;
  found_ = true;
}

void DivisionSearch::search_apart() {
  const double chips = serving_.chips.value();
  // Servers that prefill, each with the time of one prompt. Too large for a stack.
  constexpr std::size_t kMost = tensor_and_data(static_cast<std::size_t>(kMostServerChips));
  static std::array<Prefill, kMost> all, kept;
  std::size_t count = 0;
  GivenWays of_prefill;
  of_prefill.tensor = given_.prefill_tensor;
  of_prefill.data = given_.prefill_data;
  of_prefill.expert = given_.prefill_expert;
  of_prefill.pipeline = 1;
  of_prefill.by_batch = 0;
  for_each_division(chips - 1, 1, of_prefill, [&](const ServingDivision& candidate) {
    const ServerWays<double> ways{Count<double>(candidate.tensor), Count<double>(candidate.data),
                                  Count<double>(candidate.expert), Count<double>(1)};
    const double time = prefill_time(asked_, weights_, ways, 1).value();
    // Expert ways of the same tensor and data ways follow each other, and hold as much.
    if (count > 0 && !(all[count - 1].ways.tensor < ways.tensor) &&
        !(ways.tensor < all[count - 1].ways.tensor) && !(all[count - 1].ways.data < ways.data)) {
      if (time < all[count - 1].time) {
        all[count - 1].ways = ways;
        all[count - 1].time = time;
      }
      return;
    }
    const auto room = cache_room(asked_, weights_, {ServerRole::kPrefills, ways, {}});
    all[count++] = {ways, time, room.weights.value(), room.holds_one(ways)};
  });
  const int splits = static_cast<int>(std::fmin(chips - 1, kMostSplits));
  for (int split = 1; split <= splits; ++split) {
    double first = chips - 1 <= kMostSplits ? split : std::round(chips * split / (kMostSplits + 1));
    if (given_.prefill_chips > 0) {
      first = given_.prefill_chips;
      if (split > 1 || first >= chips) break;
    }
    std::size_t left = 0;
    const Prefill* lightest = nullptr;
    for (std::size_t i = 0; i < count; ++i) {
      Prefill each = all[i];
      const double size = each.ways.chips().value();
      if (size > first) continue;
      if (lightest == nullptr || each.weights < lightest->weights) lightest = &all[i];
      if (!each.holds) continue;
      each.servers = std::floor(first / size);
      if (serving_.in_turns()) {
        // So many servers hold so many conversations, and find so much of their prompts.
        auto division = with_prefill({}, each.ways);
        division.prefill_chips = first;
        set(division);
        asked_.find_prefixes(weights_);
        each.time = prefill_time(asked_, weights_, each.ways, 1).value();
      }
      each.rate = each.servers * each.ways.data.value() / each.time;
      const auto beats = [](const Prefill& one, const Prefill& other) {
        return one.time <= other.time && one.rate >= other.rate && one.servers >= other.servers &&
               one.ways.chips().value() >= other.ways.chips().value();
      };
      bool beaten = false;
      for (std::size_t j = 0; j < left && !beaten; ++j) beaten = beats(kept[j], each);
      if (beaten) continue;
      left = static_cast<std::size_t>(
          std::remove_if(kept.begin(), kept.begin() + left,
                         [&](const Prefill& other) { return beats(each, other); }) -
          kept.begin());
      kept[left++] = each;
    }
    if (lightest == nullptr) continue;
    for_each_division(chips - first, kMostServerStages, given_, [&](ServingDivision candidate) {
      candidate.prefill_chips = first;
      consider_apart(candidate, std::span(kept).first(left), *lightest);
    });
  }
}

void DivisionSearch::consider_apart(const ServingDivision& candidate,
                                    std::span<const Prefill> prefills, const Prefill& lightest) {
  const double answer = serving_.answer.value();
  set(candidate);
  const auto servers = servers_of(serving_, ServerRole::kAnswers);
  const auto room = cache_room(asked_, weights_, servers);
  const auto by = [&](const Prefill& prefill) { return with_prefill(candidate, prefill.ways); };
  const auto keep_unfit = [&] {
    auto division = by(lightest);
    division.weights = std::fmax(room.weights.value(), lightest.weights);
    keep(division);
  };
  if (prefills.empty() || !room.holds_one(servers.ways)) return keep_unfit();
  // Other measures than tokens a second rank only requests that come by themselves.
  const bool by_rate = serving_.load == ServingLoad::kOpen;
  if (by_rate && can_rule_out()) {
    double soonest = prefills[0].time;
    for (const Prefill& prefill : prefills) soonest = std::fmin(soonest, prefill.time);
    if (soonest_answer(soonest) > best_.answer * kBoundSlack) return;
  }
  LoadChoice choice;
  bool chosen = false;
  for (const Prefill& prefill : prefills) {
    const auto division = by(prefill);
    if (!by_rate && can_rule_out() && prefill.rate * answer * kBoundSlack < best_.speed) {
      continue;
    }
    set(division);
    asked_.find_prefixes(weights_);
    // Servers that answer are the same whichever servers prefill.
    if (!chosen) choice = choose_answers(asked_, weights_);
    chosen = true;
    choice.prefillers = prefill.servers;
    if (!choice.fits) return keep_unfit();
    if (!by_rate && can_rule_out() && has_no_chance_apart(choice, prefill)) continue;
    auto limited = choice;
    limit_to_prompts(asked_, weights_, prefill.rate, limited);
    serve_now(division, limited);
  }
}

}  // namespace scaling
