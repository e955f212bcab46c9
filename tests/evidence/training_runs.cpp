// SPDX-License-Identifier: MIT
#include "training_runs.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <regex>

#include "rows.hpp"
#include "scaling/questions/estimate.hpp"
#include "training_software.hpp"

namespace scaling::evidence {
namespace {

/// The network that a note tells of, where it is not the chip's own [B/s of a chip]; 0: none told.
double told_network(const std::string& text) {
  // Few notes tell of one, and searches for patterns take long.
  if (!holds(text, "Gb")) return 0;
  std::smatch match;
  static const std::regex kNodes("with (\\d+) Gbps node-node");
  static const std::regex kOmni("4x ?(Omni-Path )?100 Gb/s");
  static const std::regex kNode("NVLink; (\\d+) Gb/s per node");
  if (std::regex_search(text, match, kNodes)) return std::stod(match[1]) * 1e9 / 8 / 8;
  if (std::regex_search(text, kOmni)) return 50e9 / 8;
  if (holds(text, "8x200 Gb/s")) return 25e9;
  if (std::regex_search(text, match, kNode)) return std::stod(match[1]) * 1e9 / 64;
  return 0;
}

Raw<Model> read_model(const Row& m, double sequence_length) {
  auto model = sizes_of(m);
  if (m.flag("learned_pos")) set(model, "learnedPositions", sequence_length);
  const auto attention = m.text("attention");
  if (holds(attention, "MLA")) {
    set_latent(model);
  } else if (holds(attention, "window")) {
    set(model, "slidingWindow", holds(attention, "128") ? 128.0 : 1024.0);
    const double share = holds(attention, "alternating") ? 0.5 : 5.0 / 6;
    set(model, "windowedLayers", std::floor(share * m.number("L")));
  } else {
    check_attention(attention);
  }
  return model;
}

template <template <class> class Group>
void apply(Raw<Group>& raw, const Json& stack) {
  const auto settings = stack.find(Group<double>::kGroup);
  if (settings == stack.end()) return;
  for (const auto& [key, value] : settings->items()) set(raw, key, value);
}

bool sends_inputs(const std::string& note) {
  return holds(note, "offloaded to host") &&
         (holds(note, "ayer input") || holds(note, "decoder_layer_input"));
}

/// Whether queries, keys and values wait on the host, and inputs of layers on the chip (MaxText's
/// qkv_proj_offloaded).
bool sends_projections_alone(const std::string& note) {
  return holds(note, "q/k/v projections offloaded to host") && !sends_inputs(note);
}

void read_recompute(const Row& row, const std::string& note, const std::string& source,
                    TrainingRun& run) {
  PlanQuestion::Input& input = run.input;
  const auto& mode = row.text("recompute");
  if (holds(mode, "whole moe")) {
    choose(input.layout, "recompute", Recompute::kSelective);
    choose(input.stack, "selective", Selective::kExperts);
    return;
  }
  if (mode == "full") {
    choose(input.layout, "recompute", Recompute::kFull);
    return;
  }
  if (mode == "none" || mode == "unknown" || mode.empty()) {
    choose(input.layout, "recompute", Recompute::kNone);
    return;
  }
  choose(input.layout, "recompute", Recompute::kSelective);
  // MaxText's lists of what stays or goes to the host.
  if (holds(note, "offloaded to host") || holds(note, "MLP recomputed")) {
    choose(input.stack, "selective", Selective::kBehindAttention);
  }
  if (holds(note, "save_qkv_proj") || sends_projections_alone(note)) {
    choose(input.stack, "selective", Selective::kProjections);
  }
  std::vector<std::string> modules;
  if (const Json* extra = row.object("extra")) {
    const auto found = extra->find("recompute_modules");
    if (found != extra->end()) {
      if (found->is_string()) modules.push_back(found->get<std::string>());
      if (found->is_array()) {
        for (const auto& module : *found) {
          if (module.is_string()) modules.push_back(module.get<std::string>());
        }
      }
    }
  }
  const auto names = [&](const char* module) {
    return std::find(modules.begin(), modules.end(), module) != modules.end();
  };
  if (!modules.empty()) {
    Selective selective = Selective::kActivations;
    if (names("core_attn")) selective = Selective::kAttention;
    // Megatron-Core computes dense layers' again by that name, of which models with experts have
    // few.
    if (names("mlp") && !run.sparse) selective = Selective::kOperators;
    if (names("moe")) selective = Selective::kExperts;
    choose(input.stack, "selective", selective);
  } else if (holds(note, "remat_policy=\"minimal\"")) {
    choose(input.stack, "selective", Selective::kMatmuls);
  } else if (source == "pytorch-torchtitan" && holds(note, "selective layer")) {
    choose(input.layout, "recompute", Recompute::kEveryN);
    set(input.layout, "recomputeLayers", 2.0);
  }
}

/// How states are shared, of a lower-case text.
StateSharding sharding_in(const std::string& text) {
  if (holds(text, "none") || holds(text, "zero-0")) return StateSharding::kNone;
  if (holds(text, "zero-2") || holds(text, "shard_grad")) return StateSharding::kGradients;
  const bool whole = holds(text, "zero-3") || holds(text, "fsdp");
  const bool denied = holds(text, "no fsdp") || holds(text, "not stated");
  return whole && !denied ? StateSharding::kParameters : StateSharding::kOptimizer;
}

/// The ranks that share states, of a lower-case text; 0: not said.
double shard_group_in(const std::string& text) {
  std::smatch match;
  static const std::regex kGroup("sharded over (\\d+) ranks");
  return holds(text, "sharded over") && std::regex_search(text, match, kGroup) ? std::stod(match[1])
                                                                               : 0;
}

/// Whether a source tells what PyTorch's allocator held at most, so not what CUDA and NCCL hold
/// beside it: torchtitan and nanotron print that, others say so.
bool counted_by_torch(const std::string& source, const std::string& note) {
  for (const char* name :
       {"pytorch-torchtitan", "nvidia-nemo-automodel", "nanotron-ultrascale", "ml-engineering"}) {
    if (source == name) return true;
  }
  return holds(note, "max_memory") || holds(note, "torch peak");
}

/// Whether it tells of tensors alone, without the cache that the allocator keeps beside them.
bool counts_tensors(const std::string& note) {
  return holds(note, "max_memory allocated") || holds(note, "max_memory_allocated");
}

/// Rules by which rows don't say enough, or say what the planner doesn't count.
void refuse(const Row& row, const std::string& source, const std::string& note, const Json* extra,
            const Row& model, const std::string& sharding) {
  if (row.text("provenance") != "read in the source" && row.text("provenance") != "fetched") {
    throw Unusable{"not read in the source"};
  }
  if (holds(sharding, "offload")) throw Unusable{"the optimizer is on the host"};
  const bool sparse = model.number("experts", 0) > 0;
  if (sparse && source == "nvidia-megatron-bridge" && extra != nullptr &&
      extra->value("release", "") == "25.09") {
    throw Unusable{"drops tokens; the work of a token is not stated"};
  }
  for (const char* word : {"packed sequences", "LoRA", "SFT", "Supervised fine-tuning"}) {
    if (holds(note, word)) throw Unusable{"a fine-tuning"};
  }
  if (holds(note, "Before the 02-25 PCIe/NUMA fix")) {
    throw Unusable{"before a fix that the source itself reports"};
  }
  if (holds(note, "pipeline microbatch size is not stated")) {
    throw Unusable{"the micro-batch of the pipeline is not stated"};
  }
  if (row.text("recompute") == "unknown" || row.text("recompute").empty()) {
    // A submission to MLPerf says all that differs from Megatron's defaults: nothing again.
    const bool submitted = source.rfind("mlperf-training", 0) == 0;
    if (sparse && !submitted) throw Unusable{"what is computed again is not stated"};
    const bool described = (source.rfind("nvidia-", 0) == 0 && row.text("software") != "Paxml") ||
                           source == "nanotron-ultrascale" || submitted;
    if (!described) throw Unusable{"what is computed again is not stated"};
  }
}

void read(const Json& json, const Presets& presets, Software software, TrainingRun& run) {
  const Row row(json);
  run.id = row.text("id");
  run.source = row.text("group");
  run.configuration = row.text("cluster");
  run.chip = row.text("chip");
  run.precision = row.text("precision");
  run.citation = row.text("source");
  if (const Json* measured = row.object("measured")) {
    const Row values(*measured);
    run.measured = values.number("step_time_s", 0);
    run.memory = 1e9 * values.number("memory_gb_per_chip", 0);
    run.ran = !values.flag("out_of_memory");
  }
  const Json* model_json = row.object("model");
  if (model_json == nullptr) throw Unusable{"the model is missing"};
  const Row model(*model_json);
  run.model = model.text("name");
  const Json* extra = row.object("extra");
  const auto note = row.text("note");
  const auto sharding = lower_case(row.text("zero_or_fsdp"));
  const auto id = chip_id(run.chip, presets);
  if (id.empty()) throw Unusable{"a chip without figures"};

  start_on(run, id, presets);
  PlanQuestion::Input& input = run.input;
  if (holds(run.chip, "500W")) {
    set(input.chip, "memoryBandwidth", 2.4e12);
    set(input.chip, "power", 500.0);
    set(input.chip, "memory", 96e9);
  }
  const double network = told_network(note + " " + row.text("interconnect"));
  if (network > 0) set(input.chip, "scaleOutBandwidth", network);

  const double chips = row.number("n_chips");
  const double length = row.number("seq_len");
  const double tokens = row.number("global_batch_tokens");
  const double tensor = row.number("tp");
  const double pipeline = row.number("pp");
  const double context = row.number("cp", 1);
  const double expert = row.number("ep", 1);
  double micro_batch = row.number("micro_batch");
  input.model = read_model(model, length);
  run.sparse = model.number("experts", 0) > 0;
  const double ways = tensor * pipeline * context;
  const double data = chips / ways;
  // A chip of TPU7x has two devices, each with a rank of its own.
  const double devices = id == "tpu-v7" ? 2 : 1;
  if (data != std::floor(data)) throw Unusable{"the ways do not divide the chips"};
  const double sequences = tokens / length;
  if (sequences / (data * devices) < 0.9 && micro_batch >= 1) {
    throw Unusable{"fewer sequences than data ways"};
  }
  refuse(row, run.source, note, extra, model, sharding);

  // torchtitan prints the local batch where others print the micro-batch.
  if (run.source == "pytorch-torchtitan" && pipeline > 1) micro_batch = 1;
  // MaxText counts the batch of a device; ranks that divide a sequence work on that of all of them.
  const double counted = id.rfind("tpu", 0) == 0 ? devices * tensor * context : 1;
  micro_batch = std::max(1.0, std::min(micro_batch * counted, std::floor(sequences / data)));

  set(input.run, "chips", chips);
  set(input.run, "batchTokens", tokens);
  set(input.run, "tokens", std::max(tokens, 1e12));
  set(input.run, "sequenceLength", length);
  if (extra != nullptr) set(input.run, "slices", Row(*extra).number("slices", 1));

  const auto precision = lower_case(run.precision);
  const auto shared = run.torus ? StateSharding::kParameters : sharding_in(sharding);
  // The source, as far as it tells of the software.
  const std::string source = software == Software::kOfSource ? run.source : "";
  const Json* stack = nullptr;
  if (software == Software::kOfSource) {
    stack = stated_stack(row.text("software"), run.source, presets);
  }
  if (stack != nullptr) {
    run.stack = stack->at("id");
  } else {
    stack = usual_stack(run.generation, precision, shared, presets);
  }
  if (stack != nullptr) take_software(input, *stack);
  if (run.stack.empty()) choose(input.stack, "software", SoftwareFit::kOther);
  if (run.memory > 0 && counted_by_torch(run.source, note)) {
    set(input.assumptions, "runtimeOverhead", 0.0);
    if (counts_tensors(note)) set(input.assumptions, "allocatorShare", 0.0);
  }

  auto& layout = input.layout;
  if (precision == "fp8" || precision == "mxfp8") {
    set(layout, "fp8Matmuls", 1.0);
  } else if (precision == "nvfp4") {
    choose(input.run, "computeFormat", Format::kFp4);
  } else if (precision == "int8" || precision == "int8 (aqt)") {
    choose(input.run, "computeFormat", Format::kInt8);
  } else if (precision != "bf16" && precision != "fp16") {
    throw Unusable{"a precision that is not known"};
  }
  // DeepSpeed keeps gradients in fp16, and of bf16 the gradients with their sums in fp32. Of fp16,
  // it updates its share from a copy in fp32.
  if (holds(lower_case(row.text("software")), "deepspeed")) {
    choose(layout, "gradientFormat",
           precision == "fp16" ? GradientCopies::kShare : GradientCopies::kBoth);
  }
  if (holds(sharding, "precision-aware")) {
    choose(layout, "gradientFormat", GradientCopies::kBf16);
  }
  if (software == Software::kOfSource) take_recipe(input, run.id, presets);
  set(layout, "tensor", tensor);
  set(layout, "context", context);
  set(layout, "pipeline", pipeline);
  set(layout, "expert", expert);
  double expert_tensor = 1;
  if (run.sparse) {
    const bool divides = expert > 1 && run.source != "nvidia-dgxc-benchmarking";
    expert_tensor = row.number("etp", divides ? 1 : tensor);
  }
  set(layout, "expertTensor", expert_tensor);
  set(layout, "microBatch", micro_batch);
  const double layers = model.number("L");
  double chunks = row.number("vp", 1);
  // Megatron and NeMo work in chunks where layers allow it.
  const bool chunked =
      stack != nullptr && (stack->at("id") == "nemo" || stack->at("id") == "nemo-mlperf" ||
                           stack->at("id") == "megatron-core");
  if (!row.has("vp") && pipeline > 1 && (chunked || run.source.rfind("nvidia", 0) == 0)) {
    for (double v = 1; v < 9; ++v) {
      if (std::fmod(layers, pipeline * v) == 0 && layers / (pipeline * v) >= 2) chunks = v;
    }
  }
  if (pipeline <= 1) chunks = 1;
  set(layout, "virtualStages", chunks);
  if (!run.stack.empty() && chunks <= 1) {
    set(layout, "stageLayers", Json(placed_layers(*stack, input.model, pipeline, presets)));
  }
  choose(layout, "schedule",
         holds(note, "DualPipe") ? kSchedule<DualPipe>
         : chunks > 1            ? kSchedule<Interleaved>
                                 : kSchedule<OneFOneB>);
  choose(layout, "sharding", shared);
  const double group = shard_group_in(sharding);
  if (group > 0) set(layout, "shardGroup", group);
  read_recompute(row, note, source, run);
  double on_host = sends_inputs(note) ? 1 : 0;
  if (sends_projections_alone(note)) {
    const double keys = 2 * model.number("K");
    const double projected = (model.number("N") + keys) * model.number("H");
    on_host = projected / (projected + model.number("D"));
  }
  // Megatron-Core sends the activations of its first layers.
  if (extra != nullptr) on_host += Row(*extra).number("cpu_offloading_num_layers", 0) / layers;
  if (on_host > 0) {
    set(layout, "hostActivations", on_host);
    // A link to the host that is not published is taken for no limit: what was sent was hidden.
    auto& link = input.chip.values[index_of<Chip>("hostBandwidth")];
    if (!(link > 0)) set(input.chip, "hostBandwidth", 1e18);
  }
  // MaxText's moments have the format of its weights.
  if (holds(note, "bf16 weights")) {
    choose(layout, "masterFormat", Copy::kNone);
    choose(layout, "optimizer", Optimizer::kAdamBf16);
    choose(layout, "gradientFormat", GradientCopies::kBf16);
  }

  // The software, as notes describe it.
  std::smatch match;
  static const std::regex kGraphs("cuda_graph=(\\w+)");
  std::string graphs;
  if (holds(note, "cuda_graph=") && std::regex_search(note, match, kGraphs)) graphs = match[1];
  const std::string release = extra != nullptr ? extra->value("release", "") : "";
  const bool newest = id == "gb200-nvl72" || id == "gb300-nvl72" || id == "b300-sxm";
  if (graphs.empty() && source == "nvidia-megatron-bridge" && newest && release >= "26.04" &&
      run.sparse && !holds(note, "Recipe ")) {
    graphs = "full_iteration";
  }
  if (graphs == "full_iteration") choose(input.stack, "graphs", CudaGraphs::kFull);
  if (holds(note, "partial CUDA graphs")) graphs = "transformer_engine";
  if (holds(note, "1F1B")) set(input.stack, "expertOverlap", 1.0);
  if (graphs == "transformer_engine") choose(input.stack, "graphs", CudaGraphs::kPartial);
  if (source == "pytorch-torchtitan") {
    const bool async = holds(note, "async TP") || holds(note, "AsyncTP");
    set(input.stack, "tensorOverlap", async ? 1.0 : 0.0);
    const bool rowwise = holds(note, "rowwise");
    set(input.stack, "rowwiseScales", rowwise ? 1.0 : 0.0);
    set(input.stack, "fp8Gather", rowwise ? 0.0 : 1.0);
  }
  if (source == "mosaicml-llm-foundry" && extra != nullptr &&
      extra->value("mp_mode", "") == "DEFAULT") {
    choose(input.stack, "reduceFormat", ReduceFormat::kGradients);
  }
  const bool selective_korthikanti =
      source == "korthikanti-2022" && row.text("recompute") == "selective";
  if (selective_korthikanti) set(layout, "sequenceParallel", 1.0);

  take_input(run);
  run.task = run.source + "|" + model.text("name") + "|" + run.chip + "|" + run.precision + "|" +
             std::to_string(chips) + "|" + std::to_string(tokens) + "|" + std::to_string(length) +
             "|" + std::to_string(layers);
  if (run.measured <= 0) throw Unusable{"no step time"};
}

}  // namespace

void start_on(TrainingRun& run, const std::string& id, const Presets& presets) {
  const auto& chip = presets.chips.at(id);
  run.preset = id;
  auto& input = run.input;
  input.chip = chip;
  input.run = Raw<Run>::defaults();
  input.layout = Raw<Layout>::defaults();
  input.stack = Raw<Stack>::defaults();
  input.assumptions = Raw<Assumptions>::defaults();
  input.search = Raw<SearchSpace>::defaults();
  const auto generation = static_cast<std::size_t>(chip.values[index_of<Chip>("generation")]);
  run.generation = kChipGenerationNames[generation];
  run.torus = chip.values[index_of<Chip>("network")] == static_cast<double>(Network::kTorus);
}

void take_software(PlanQuestion::Input& input, const Json& stack) {
  apply(input.layout, stack);
  apply(input.stack, stack);
  apply(input.run, stack);
  apply(input.model, stack);
  apply(input.assumptions, stack);
}

void take_input(TrainingRun& run) {
  const auto outcome = estimate<PlanQuestion>(run.input);
  if (!outcome.issues.empty()) {
    const Issue& issue = outcome.issues.items()[0];
    throw Unusable{std::string("the planner refuses ") + issue.group + "." + issue.field + ": " +
                   kIssueNames[static_cast<std::size_t>(issue.code)].code};
  }
  // A row of more chips than a torus has would have to say how they lay on several.
  for (const Issue& notice : outcome.notices.items()) {
    if (notice.code != IssueCode::kSlicesJoined) continue;
    throw Unusable{"the planner refuses run.chips: moreChipsThanNetwork"};
  }
  auto checked = run.input;
  Issues issues;
  PlanQuestion::check_fields(checked, issues);
  run.groups = PlanQuestion::read<double>(checked).plain;
  run.choice = choose_for_layout(run.groups);
  run.readable = true;
}

Presets read_presets(const std::string& folder, std::string& error) {
  Presets presets;
  const auto read_file = [&](const char* name) {
    std::ifstream stream(folder + "/" + name);
    return Json::parse(stream, nullptr, false);
  };
  const auto chips = read_file("chips.json");
  const auto models = read_file("models.json");
  const auto stacks = read_file("stacks.json");
  const auto torus = read_file("torus-stack.json");
  const auto software = read_file("runs-software.json");
  if (chips.is_discarded() || models.is_discarded() || stacks.is_discarded() ||
      torus.is_discarded() || software.is_discarded()) {
    error = "cannot read chips, models, stacks and runs-software.json in " + folder;
    return presets;
  }
  for (const auto& chip : chips.at("chips")) {
    auto raw = Raw<Chip>::defaults();
    for (const auto& [key, figure] : chip.at("figures").items()) set(raw, key, figure.at("value"));
    presets.chips[chip.at("id").get<std::string>()] = raw;
  }
  for (const auto& model : models.at("models")) {
    auto raw = Raw<Model>::defaults();
    for (const auto& [key, value] : model.at("architecture").items()) set(raw, key, value);
    const auto id = model.at("id").get<std::string>();
    presets.models[id] = raw;
    presets.model_names[id] = model.at("name").get<std::string>();
  }
  presets.stacks = stacks.at("stacks");
  presets.stacks.push_back(torus);
  presets.software = software.at("software");
  presets.recipes = software.at("recipes");
  return presets;
}

TrainingRun read_training_run(const Json& row, const Presets& presets, Software software) {
  return run_of<TrainingRun>([&](TrainingRun& run) { read(row, presets, software, run); });
}

std::vector<TrainingRun> read_runs(const std::string& file, const Presets& presets,
                                   std::string& error, Software software) {
  std::ifstream stream(file);
  return read_list<TrainingRun>(stream, file, error, [&](const Json& row) {
    return read_training_run(row, presets, software);
  });
}

Prediction predict(const TrainingRun& run, const StepConstants& constants) {
  const StepInput<double> in(run.groups, constants);
  const auto step = cost_step<double>(in, run.choice);
  Prediction prediction;
  prediction.lower = step.lower.value();
  prediction.expected = step.expected.value();
  prediction.upper = std::max(step.upper.value(), prediction.expected);
  const auto band = step_band<double>(in, step);
  prediction.low = band.low.value();
  prediction.high = band.high.value();
  prediction.memory = step.memory.total().value();
  const auto memory = memory_band<double>(in, step.memory);
  prediction.memory_low = memory.low.value();
  prediction.memory_high = memory.high.value();
  const auto limit = memory_limit(in.chip, in.assumptions);
  prediction.state = static_cast<MemoryState>(
      static_cast<int>(memory_state(limit, step.memory.allocated(), memory.high).value()));
  return prediction;
}

}  // namespace scaling::evidence
