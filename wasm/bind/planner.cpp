// SPDX-License-Identifier: MIT
//
// The planner as JavaScript sees it: one layout's step, and the search for the best.

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "bind.hpp"
#include "questions.hpp"
#include "rows.hpp"
#include "scaling/questions/plan/question.hpp"
#include "scaling/search/layout_search.hpp"
#include "scaling/search/levers.hpp"
#include "scaling/views/timeline.hpp"

namespace scaling {
namespace {

using Plain = SearchInput<double>;

val view(std::span<const double> values) {
  return val(typed_memory_view(values.size(), values.data()));
}

inline constexpr std::size_t kMostStages = 256;

using StageMemory = decltype(memory_of_stage(std::declval<const Plain&>(),
                                             std::declval<const LayoutChoice&>(), 0.0));
inline constexpr Column<StageMemory> kStageColumns[] = {
    {"parameters", [](const auto& memory) { return memory.states.parameters.value(); }},
    {"gradients", [](const auto& memory) { return memory.states.gradients.value(); }},
    {"optimizer", [](const auto& memory) { return memory.states.optimizer.value(); }},
    {"activations", [](const auto& memory) { return memory.activations.value(); }},
    {"working", [](const auto& memory) { return memory.working.value(); }},
    {"logits", [](const auto& memory) { return memory.logits.value(); }},
    {"buffers", [](const auto& memory) { return memory.buffers.value(); }},
    {"overhead", [](const auto& memory) { return memory.overhead.value(); }},
    {"allocator", [](const auto& memory) { return memory.cached.value(); }},
};

using LayerTensors = decltype(kept_of_layer<double>(std::declval<const Plain&>(),
                                                    std::declval<LayoutChoice>().dropped));
inline constexpr Column<LayerTensors> kTensorColumns[] = {
    {"input", [](const auto& kept) { return kept.input.value(); }},
    {"middle", [](const auto& kept) { return kept.middle.value(); }},
    {"norms", [](const auto& kept) { return kept.norms.value(); }},
    {"qkv", [](const auto& kept) { return kept.qkv.value(); }},
    {"attention", [](const auto& kept) { return kept.attention.value(); }},
    {"scores", [](const auto& kept) { return kept.scores.value(); }},
    {"hidden", [](const auto& kept) { return kept.hidden.value(); }},
    {"product", [](const auto& kept) { return kept.product.value(); }},
    {"experts", [](const auto& kept) { return kept.experts.value(); }},
    {"results", [](const auto& kept) { return kept.results.value(); }},
    {"masks", [](const auto& kept) { return kept.masks.value(); }},
    {"casts", [](const auto& kept) { return kept.casts.value(); }},
};

/// {stages, all, bytes, tensors, capacity, limit}: of `all` stages the first ones and the last.
val stages() {
  static std::array<double, kMostStages * std::size(kStageColumns)> bytes;
  static std::array<double, std::size(kTensorColumns)> tensors;
  return with_input<PlanQuestion>([](const auto& typed, val& object) {
    const Plain& in = typed.plain;
    const LayoutChoice choice = choose_for_layout(in);
    const double all = in.layout.pipeline.value();
    const auto count = static_cast<std::size_t>(all < kMostStages ? all : kMostStages);
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double index = i + 1 == count ? all - 1 : static_cast<double>(i);
      size = put_row(kStageColumns, memory_of_stage(in, choice, index), bytes, size);
    }
    put_row(kTensorColumns, kept_of_layer<double>(in, choice.dropped), tensors, 0);
    object.set("stages", static_cast<unsigned>(count));
    object.set("all", all);
    object.set("bytes", view(std::span(bytes).first(size)));
    object.set("tensors", view(tensors));
    object.set("capacity", of_one_chip(in.chip.memory).value());
    object.set("limit", memory_limit(in.chip, in.assumptions).value());
  });
}

inline constexpr const char* kCutColumns[] = {"start", "end", "microBatches"};
static_assert(sizeof(TimelineCut) == std::size(kCutColumns) * sizeof(double));
inline constexpr const char* kEventColumns[] = {"lane", "kind", "start", "end", "microBatch"};
static_assert(sizeof(TimelineEvent) == std::size(kEventColumns) * sizeof(double));
/// The resources of a chip, where a timeline is not by stages.
inline constexpr const char* kLaneNames[] = {"computing", "tensor", "context",
                                             "expert",    "data",   "host"};

/// {byStage, lanes, drawn, microBatches, end, cuts, events}.
val timeline() {
  static Timeline result;
  return with_input<PlanQuestion>([](const auto& typed, val& object) {
    const Plain& in = typed.plain;
    make_timeline(in, result);
    object.set("byStage", result.by_stage);
    object.set("lanes", result.lanes);
    object.set("drawn", result.drawn);
    object.set("microBatches", result.micro_batches);
    object.set("end", result.end);
    object.set("steadyFrom", result.steady_from);
    object.set("steadyTo", result.steady_to);
    object.set("cuts", view({&result.cuts[0].start, result.cut_count * std::size(kCutColumns)}));
    const auto* first = reinterpret_cast<const double*>(result.events.data());
    object.set("events", view({first, result.size * std::size(kEventColumns)}));
  });
}

// --- searches: one lies in the module; its owner can copy it out and back, so that many take turns
// and the module keeps nothing of those that were given up ---

struct Place {
  alignas(LayoutSearch) unsigned char bytes[sizeof(LayoutSearch)];
  StepYield<double> yield;
  double steps, goodput;
};
Place place;
LayoutSearch* search = nullptr;

// A search that was copied out is valid again at this address only.
static_assert(std::is_trivially_copyable_v<LayoutSearch>);
static_assert(std::is_trivially_copyable_v<StepYield<double>>);

void start(const Plain& in, MapField x, MapField y) {
  search = new (place.bytes) LayoutSearch(in, x, y);
  place.yield = step_yield<double>(in);
  place.steps = (in.run.all_tokens() / in.run.batch_tokens).value();
  // The same for all layouts: their states are.
  const auto parameters = trained_parameters(in.model, in.run, count_parameters(in.model).total);
  place.goodput =
      reliability<double>(in.model, in.run, in.layout, in.assumptions, parameters).goodput.value();
}

/// All there is to the search in the module: to read, and to write what was read before.
val search_state() {
  return val(typed_memory_view(sizeof place, reinterpret_cast<unsigned char*>(&place)));
}

/// {begun}, or {issues}: what no layout can mend. `change` says whether it could change the input.
template <class Change>
val begin_search(MapField x, MapField y, Change change) {
  val object = val::object();
  Issues issues;
  auto checked = read_input<PlanQuestion>();
  PlanQuestion::check_fields(checked, issues);
  if (issues.empty()) {
    Issues notices;
    complete(checked, notices);
    Plain in = PlanQuestion::read<double>(checked).plain;
    check_machine(in, issues);
    if (issues.empty()) {
      bool begun = change(in);
      if (begun) {
        Issues others;  // the change may ask for an impossible machine
        check_machine(in, others);
        begun = others.empty();
      }
      if (begun) start(in, x, y);
      object.set("begun", begun);
    }
  }
  if (!issues.empty()) object.set("issues", issue_list(issues));
  return object;
}

/// Null where there is no such field of a map.
val start_search(unsigned x, unsigned y) {
  if (x >= std::size(kMapFieldNames) || y >= std::size(kMapFieldNames)) return val::null();
  return begin_search(static_cast<MapField>(x), static_cast<MapField>(y),
                      [](Plain&) { return true; });
}

/// Null where there is no such lever.
val start_pulled(unsigned lever) {
  if (lever >= std::size(kLeverNames)) return val::null();
  return begin_search(MapField::kTensor, MapField::kPipeline,
                      [&](Plain& in) { return pull(in, static_cast<Lever>(lever)); });
}

/// Starts a search for `chips` chips; its result also has their {slices, batchTokens}.
val start_scaled(double chips, bool weak) {
  Plain scaled{};
  val object = begin_search(MapField::kTensor, MapField::kPipeline, [&](Plain& in) {
    const bool can = set_chips(in, chips, weak);
    scaled = in;
    return can;
  });
  object.set("slices", scaled.run.slices.value());
  object.set("batchTokens", scaled.run.batch_tokens.value());
  return object;
}

/// A call may be asked for so much work, lest it never end.
inline constexpr unsigned kMostAtOnce = 1u << 16;

// These return null if no search has started.

val advance(unsigned count) {
  if (search == nullptr) return val::null();
  val object = val::object();
  object.set("done", search->advance(std::min(count, kMostAtOnce)));
  object.set("bestKnown", search->best_known());
  object.set("roomyKnown", search->roomy_known());
  object.set("fraction", search->fraction());
  object.set("grid", static_cast<double>(search->grid()));
  object.set("evaluated", static_cast<double>(search->evaluated()));
  object.set("fitting", static_cast<double>(search->fitting()));
  val left_out = val::array();
  unsigned index = 0;
  for (std::size_t i = 0; i < std::size(kLeftOutNames); ++i) {
    if (search->left_out(static_cast<LeftOut>(i))) left_out.set(index++, val(kLeftOutNames[i]));
  }
  object.set("leftOut", left_out);
  return object;
}

/// The fields that a search chooses.
inline constexpr Column<CostedLayout> kLayoutColumns[] = {
    {"tensor", [](const auto& plan) { return plan.layout.tensor.value(); }},
    {"context", [](const auto& plan) { return plan.layout.context.value(); }},
    {"pipeline", [](const auto& plan) { return plan.layout.pipeline.value(); }},
    {"schedule", [](const auto& plan) { return static_cast<double>(plan.layout.schedule); }},
    {"virtualStages", [](const auto& plan) { return plan.layout.virtual_stages.value(); }},
    {"expert", [](const auto& plan) { return plan.layout.expert.value(); }},
    {"expertTensor", [](const auto& plan) { return plan.layout.expert_tensor.value(); }},
    {"microBatch", [](const auto& plan) { return plan.layout.micro_batch.value(); }},
    {"sharding", [](const auto& plan) { return static_cast<double>(plan.layout.sharding); }},
    {"recompute", [](const auto& plan) { return static_cast<double>(plan.layout.recompute); }},
};

Quantity<kSecond, double> expected(const CostedLayout& plan) {
  return Quantity<kSecond, double>(plan.expected);
}

double state_of_memory(const CostedLayout& plan) {
  return memory_state(Quantity<kByte, double>(search->limit()),
                      Quantity<kByte, double>(plan.allocated),
                      Quantity<kByte, double>(plan.memory_high))
      .value();
}

/// The figures of a layout.
inline constexpr Column<CostedLayout> kPlanColumns[] = {
    {"dataWays", [](const auto& plan) { return plan.data_ways; }},
    {"microBatches", [](const auto& plan) { return plan.micro_batches; }},
    {"expected", [](const auto& plan) { return plan.expected; }},
    {"lower", [](const auto& plan) { return plan.lower; }},
    {"upper", [](const auto& plan) { return plan.upper; }},
    {"memory", [](const auto& plan) { return plan.memory; }},
    {"mfu", [](const auto& plan) { return place.yield.mfu(expected(plan)).value(); }},
    {"mfuExact", [](const auto& plan) { return place.yield.mfu_exact(expected(plan)).value(); }},
    {"tokensPerSecond", [](const auto& plan) { return place.yield.speed(expected(plan)).value(); }},
    {"bound", [](const auto& plan) -> double { return plan.bound; }},
    {"nextBound", [](const auto& plan) -> double { return plan.next_bound; }},
    {"fits", [](const auto& plan) { return plan.allocated <= search->limit() ? 1.0 : 0.0; }},
    {"memoryLow", [](const auto& plan) { return plan.memory_low; }},
    {"memoryHigh", [](const auto& plan) { return plan.memory_high; }},
    {"memoryState", &state_of_memory},
    {"wallTime", [](const auto& plan) { return place.steps * plan.expected / place.goodput; }},
    {"mfuWithFailures",
     [](const auto& plan) { return place.yield.mfu(expected(plan)).value() * place.goodput; }},
    {"fullestLayers", [](const auto& plan) -> double { return plan.fullest_layers; }},
};

inline constexpr std::size_t kPlanNumbers =
    std::size(kLayoutColumns) + std::size(kPlanColumns) + kStepParts + kDroppedKinds;

/// A row a plan: its layout, what it comes to, the parts of its step, and what it computes again.
val plans(std::span<const CostedLayout> list) {
  static std::array<double, LayoutSearch::kFront * kPlanNumbers> rows;
  std::size_t n = 0;
  for (const CostedLayout& plan : list) {
    n = put_row(kLayoutColumns, plan, rows, n);
    n = put_row(kPlanColumns, plan, rows, n);
    for (const double part : plan.parts) rows[n++] = part;
    for (const double share : plan.again) rows[n++] = share;
  }
  return view(std::span(rows).first(n));
}

val best() { return search == nullptr ? val::null() : plans(search->best()); }
val chosen() { return search == nullptr ? val::null() : plans(search->chosen()); }
val roomy() { return search == nullptr ? val::null() : plans(search->roomy()); }
val front() { return search == nullptr ? val::null() : plans(search->front()); }
val lower() { return search == nullptr ? val::null() : val(search->lower()); }
val limit() { return search == nullptr ? val::null() : val(search->limit()); }

/// {x, y, seconds}: values as they were met, a row of seconds for each of y.
val best_map() {
  if (search == nullptr) return val::null();
  static std::array<double, LayoutSearch::kMapValues * LayoutSearch::kMapValues> cells;
  const auto x = search->map_x();
  const auto y = search->map_y();
  for (std::size_t row = 0; row < y.size(); ++row) {
    for (std::size_t column = 0; column < x.size(); ++column) {
      cells[row * x.size() + column] = search->map_at(column, row);
    }
  }
  val object = val::object();
  object.set("x", view(x));
  object.set("y", view(y));
  object.set("seconds", view(std::span(cells).first(x.size() * y.size())));
  return object;
}

/// The names behind the numbers that cross.
val names() {
  val object = val::object();
  object.set("layout", column_names(kLayoutColumns));
  object.set("plan", column_names(kPlanColumns));
  object.set("parts", string_list(kStepPartNames));
  object.set("bounds", string_list(kStepBoundNames));
  object.set("memoryStates", string_list(kMemoryStateNames));
  object.set("again", string_list(kDroppedNames));
  object.set("mapFields", string_list(kMapFieldNames));
  object.set("levers", string_list(kLeverNames));
  object.set("timelineKinds", string_list(kTimelineKindNames));
  object.set("memoryKinds", column_names(kStageColumns));
  object.set("tensors", column_names(kTensorColumns));
  object.set("lanes", string_list(kLaneNames));
  object.set("cuts", string_list(kCutColumns));
  object.set("events", string_list(kEventColumns));
  return object;
}

}  // namespace

EMSCRIPTEN_BINDINGS(planner) {
  using emscripten::function;

  bind_of<"estimate", PlanQuestion>(&estimate_question<PlanQuestion>);
  function("stages", &stages);
  function("timeline", &timeline);
  function("startSearch", &start_search);
  function("startPulled", &start_pulled);
  function("startScaled", &start_scaled);
  function("searchState", &search_state);
  function("advance", &advance);
  function("best", &best);
  function("chosen", &chosen);
  function("roomy", &roomy);
  function("front", &front);
  function("lower", &lower);
  function("limit", &limit);
  function("bestMap", &best_map);
  function("names", &names);
}

}  // namespace scaling
