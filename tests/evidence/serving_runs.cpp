// SPDX-License-Identifier: MIT
#include "serving_runs.hpp"

#include <cmath>
#include <fstream>
#include <set>

#include "csv.hpp"
#include "scaling/questions/estimate.hpp"
#include "serving_recipes.hpp"

namespace scaling::evidence {
namespace {

/// Preset ids as rows spell them: llama3.1-70b for llama-3.1-70b.
std::string bare(const std::string& id) {
  std::string result;
  for (const char c : id) {
    if (c != '-' && c != '_' && c != '.') result += c;
  }
  return lower_case(result);
}

/// Sizes of a model as a row gives them.
Raw<Model> model_of_row(const Row& m, const ServingPresets& presets) {
  const auto attention = m.text("attention");
  // Layers that are not alike are those of the preset: rows give the sizes of one of them.
  const bool mixed = holds(attention, "DSA") || holds(attention, "GDN") ||
                     holds(lower_case(m.text("name")), "nemotron-3");
  if (mixed || !m.has("L") || !m.has("D") || !m.has("N") || !m.has("V")) {
    const auto name = bare(m.has("preset") ? m.text("preset") : m.text("name"));
    for (const auto& [id, model] : presets.models) {
      if (bare(id) == name) return model;
    }
    throw Unusable{"the sizes of the model are not given"};
  }
  auto model = sizes_of(m);
  // Attention and feed-forward part side by side share a norm.
  const auto name = m.text("name");
  if (name.rfind("GPT-J", 0) == 0 || name.rfind("Falcon", 0) == 0) set(model, "normsPerLayer", 1.0);
  if (holds(attention, "MLA")) {
    set_latent(model);
  } else if (holds(attention, "sliding-window")) {
    set(model, "slidingWindow", 128.0);
    set(model, "windowedLayers", std::floor(m.number("L") / 2));
  } else {
    check_attention(attention);
  }
  return model;
}

/// The software by the longest name that it begins with.
const Json* server_of(const std::string& software, const ServingPresets& presets) {
  const Json* found = nullptr;
  std::size_t longest = 0;
  const auto name = lower_case(software);
  for (const auto& server : presets.servers) {
    for (const auto& prefix : server.at("software")) {
      const auto text = prefix.get<std::string>();
      if (text.size() <= longest || name.rfind(text, 0) != 0) continue;
      longest = text.size();
      found = &server;
    }
  }
  return found;
}

template <template <class> class Group>
void apply_to(Raw<Group>& raw, const Json& settings) {
  for (const auto& [key, value] : settings.items()) set(raw, key, value);
}

double value_of(const Raw<Chip>& chip, const std::string& key) {
  return chip.values[index_of<Chip>(key)];
}

/// A Neuron core as a chip, as its software divides work: heads and matrices among cores. Of both
/// cores of a chip each has half of its rates and memory. A ring goes through both over the same
/// links, and every second step stays on a chip.
void take_core(Raw<Chip>& chip) {
  for (const char* key :
       {"memory", "memoryBandwidth", "onChipMemory", "peakBf16", "peakFp16", "peakFp32", "peakTf32",
        "peakFp8", "peakInt8", "multiprocessors", "hopLatency"}) {
    set(chip, key, value_of(chip, key) / 2);
  }
  set(chip, "torusX", 2 * value_of(chip, "torusX"));
}

/// Formats of weights as a row names them. Models that come with fp8 weights have them in blocks.
void set_weights(Raw<Server>& server, const std::string& precision, bool blocks, bool latent,
                 bool mxfp4) {
  const auto part = [&](const char* key, PartFormat format) { choose(server, key, format); };
  if (precision == "bf16" || precision == "fp16" || precision.empty()) {
    choose(server, "weights", WeightFormat::kBf16);
  } else if (precision.rfind("fp8", 0) == 0 || precision == "e4m3") {
    choose(server, "weights", blocks ? WeightFormat::kFp8Block : WeightFormat::kFp8);
  } else if (mxfp4 || precision == "mxfp4") {
    // Experts alone are in 4 bits.
    choose(server, "weights", WeightFormat::kBf16);
    part("expertWeights", PartFormat::kMxfp4);
  } else if (precision == "nvfp4" || precision == "fp4") {
    choose(server, "weights", WeightFormat::kNvfp4);
    if (latent) part("attentionWeights", PartFormat::kBf16);
  } else if (precision == "int8" || precision.rfind("q8_0", 0) == 0) {
    choose(server, "weights", WeightFormat::kInt8);
    choose(server, "computeIn", ComputeIn::kBf16);
    if (precision == "q8_0, experts mxfp4") part("expertWeights", PartFormat::kMxfp4);
  } else if (precision == "int4" || precision == "q4_0" || precision == "q4_1" ||
             precision == "uint4" || precision == "4-bit") {
    choose(server, "weights", WeightFormat::kInt4);
    choose(server, "zeroPoints", ZeroPoints::kNone);
  } else {
    throw Unusable{"a precision that is not known"};
  }
}

/// What 99 % of requests must keep in the scenarios Server and Interactive of MLPerf Inference: the
/// time of the first token, and that of each further one on average over an answer. Source:
/// mlcommons/inference_policies, inference_rules.adoc @ac93e89, table of the datacenter suite.
struct ServerLimits {
  const char* model;  ///< that its name begins with
  struct {
    double first, token;  ///< [s]
  } server, interactive;  ///< 0: there is no such category
};
constexpr ServerLimits kServerLimits[] = {
    {"Llama-2-70B", {2, 0.2}, {0.45, 0.04}},     {"Mixtral", {2, 0.2}, {}},
    {"Llama-3.1-405B", {6, 0.175}, {4.5, 0.08}}, {"Llama-3.1-8B", {2, 0.1}, {0.5, 0.03}},
    {"DeepSeek-R1", {2, 0.08}, {1.5, 0.015}},    {"gpt-oss-120B", {3, 0.08}, {2, 0.02}}};

/// Sets the rate at which requests come to the largest that keeps its targets and gives a token in
/// `token` seconds.
void set_largest_rate(ServingQuestion::Input& input, double token,
                      const ServingConstants& constants) {
  auto& serving = input.serving;
  const auto at = [&](ServingLoad load) {
    choose(serving, "load", load);
    return ServingQuestion::answer(ServingQuestion::read<double>(input), constants);
  };
  const auto most = at(ServingLoad::kMost).get<term::kRequestSpeed>();
  if (!most.present()) return;
  double high = most.value.value();
  double low = high / 64;
  for (int round = 0; round < 16; ++round) {
    const double middle = round == 0 ? low : (low + high) / 2;
    set(serving, "requestRate", middle);
    const auto answers = at(ServingLoad::kOpen);
    const auto meets = answers.get<term::kMeetsTargets>();
    const auto each = answers.get<term::kTokenTime>();
    const bool kept =
        meets.present() && meets.value.value() > 0 && each.present() && each.value.value() <= token;
    (kept ? low : high) = middle;
  }
  set(serving, "requestRate", low);
}

/// Checks an input as the page would, and keeps it.
void keep(ServingRun& run) {
  const auto outcome = estimate<ServingQuestion>(run.input);
  if (!outcome.issues.empty()) {
    const Issue& issue = outcome.issues.items()[0];
    throw Unusable{std::string("the question refuses ") + issue.group + "." + issue.field + ": " +
                   kIssueNames[static_cast<std::size_t>(issue.code)].code};
  }
  auto checked = run.input;
  Issues issues;
  ServingQuestion::check_fields(checked, issues);
  run.typed = ServingQuestion::read<double>(checked);
  const auto fits = outcome.answers.get<term::kServingFits>();
  if (!fits.present() || fits.value.value() <= 0)
    throw Unusable{"it does not fit the stated chips"};
  const auto saturated = outcome.answers.get<term::kSaturated>();
  if (saturated.present() && saturated.value.value() > 0) {
    throw Unusable{"saturated: requests come faster than they are served"};
  }
}

/// The reason why a run is unfit, as far as published mistakes and gaps are known from their
/// sources.
std::string unfit_of(const ServingRun& run, const Row& row) {
  const auto note = row.text("note");
  if (run.group == "trtllm-ifb" && holds(run.software, "0.10")) {
    return "the largest batch is in a build table that the row lacks";
  }
  if (run.group == "trtllm-static" && run.model.rfind("Mixtral", 0) == 0) {
    return "the routing of the test weights is not known";
  }
  if (holds(note, "Preliminary") || holds(run.software, "0.7a")) return "preliminary figures";
  if (run.model.rfind("Llama-4-Mav", 0) == 0) return "kernels of a fallback";
  if (holds(note, "FLAG")) return "the source contradicts itself";
  if (holds(note, "utlier")) return "an outlier by its source";
  if (run.group == "inferencex-decode-slo") return "kernels were not tuned";
  if (holds(note, "peculat") || holds(note, "MTP")) return "drafts, their acceptance not stated";
  if (holds(note, "assumed 1 GPU")) return "the number of chips is a guess";
  return "";
}

void read(const Json& json, const ServingPresets& presets, ServingRun& run) {
  const Row row(json);
  run.id = row.text("id");
  run.group = row.text("group");
  run.citation = row.text("source");
  run.software = row.text("software");
  run.chip = row.text("chip");
  run.precision = lower_case(row.text("weight_precision"));
  const Json* model_json = row.object("model");
  if (model_json == nullptr) throw Unusable{"the model is missing"};
  const Row model(*model_json);
  run.model = model.text("name");
  run.family = row.text("cluster").empty() ? run.id : row.text("cluster");
  const Json* measured = row.object("measured");
  if (measured == nullptr) throw Unusable{"nothing is measured"};
  const Row values(*measured);
  const double user_speed = values.number("tokens_per_s_per_user", 0);
  run.measured[0] = values.number("tokens_per_s_total", 0);
  run.measured[1] = values.number("tpot_ms", values.number("tpot_ms_median", 0)) / 1e3;
  run.measured[2] = values.number("ttft_ms", values.number("ttft_ms_median", 0)) / 1e3;

  auto name = run.chip;
  const bool limited = holds(name, "-330W");
  if (limited) name = "A100-80GB-SXM";
  static const std::map<std::string, std::string> kOthers{{"A100-80GB-PCIe", "a100-sxm-80gb"},
                                                          {"GH200", "gh200-96gb"},
                                                          {"H20", "h20"},
                                                          {"Inferentia2", "trainium-1"},
                                                          {"Trainium1", "trainium-1"},
                                                          {"H200-NVL", "h200-sxm"},
                                                          {"MI300X", "mi300x"},
                                                          {"MI325X", "mi325x"},
                                                          {"RTX 4090", "rtx-4090"},
                                                          {"DGX Spark", "dgx-spark"},
                                                          {"Apple M2 Ultra", "apple-m2-ultra"}};
  const auto other = kOthers.find(name);
  const auto id = other != kOthers.end() ? other->second : chip_id(name, presets.presets);
  if (id.empty() || presets.presets.chips.count(id) == 0) throw Unusable{"a chip without figures"};
  auto& input = run.input;
  run.preset = id;
  input.chip = presets.presets.chips.at(id);
  if (run.chip == "A100-80GB-PCIe") {
    set(input.chip, "memoryBandwidth", 1.935e12);
    choose(input.chip, "network", Network::kPcie);
    set(input.chip, "scaleUpBandwidth", 25e9);
  }
  if (run.chip == "Inferentia2") {
    // The chip of Trainium1 with two of its links: twelve in a ring.
    set(input.chip, "torusX", 12.0);
    set(input.chip, "torusY", 1.0);
  }
  if (run.group == "aws-neuron") take_core(input.chip);
  if (run.chip == "H200-NVL") {
    set(input.chip, "peakBf16", 835e12);
    set(input.chip, "peakFp8", 1671e12);
  }
  input.model = model_of_row(model, presets);
  run.sparse = input.model.values[index_of<Model>("experts")] > 0;
  const bool latent = input.model.values[index_of<Model>("attention")] > 0;

  // Systems over many nodes are told by one step: of decoding, or of prompts.
  const bool one_step = run.group == "large-scale-ep";
  const double prompt = row.number("isl", 0);
  const double answer = row.number("osl", one_step ? 2 : 0);
  const double batch = row.number("batch_or_concurrency", 0);
  const auto load = lower_case(row.text("load"));
  const auto note = row.text("note");
  if (prompt <= 0 && run.group != "llama.cpp")
    throw Unusable{"the length of prompts is not stated"};
  const bool first_only = answer <= 0 && run.measured[2] > 0;
  if (answer <= 0 && !first_only) throw Unusable{"the length of answers is not stated"};

  input.server = Raw<Server>::defaults();
  input.serving = Raw<Serving>::defaults();
  const bool blocks =
      latent || run.model.rfind("MiniMax", 0) == 0 || run.model.rfind("Qwen3", 0) == 0;
  set_weights(input.server, run.precision, blocks, latent, false);
  const Json* server = server_of(run.software, presets);
  if (server != nullptr) {
    run.server = server->at("id");
    run.engine = server->at("engine");
    apply_to(input.server, server->at("server"));
  }
  const auto cache = lower_case(row.text("kv_precision"));
  choose(input.server, "cacheFormat",
         cache.rfind("fp8", 0) == 0 ? KvFormat::kFp8 : KvFormat::kBf16);
  if (run.group == "mlperf-inference" && run.precision.rfind("fp", 0) == 0) {
    choose(input.server, "cacheFormat", KvFormat::kFp8);
  }
  const Json* extra = row.object("extra");
  const Json none = Json::object();
  const Row more(extra != nullptr ? *extra : none);

  double tensor = row.number("tp", 0);
  const double expert = row.number("ep", 1);
  double data = row.number("dp", 1);
  double ways = expert;
  // Ways of TPU7x are of its two cores, which share a chip's memory: the row counts fewer chips.
  if (run.group == "tpu-recipes" && tensor > row.number("n_chips", tensor)) {
    const double cores = tensor / row.number("n_chips");
    tensor = tensor / cores;
    ways = std::fmax(1, ways / cores);
  }
  if (run.group == "inferencex-decode-slo" || run.group == "trtllm-deepseek-r1") {
    if (holds(note, "parallel: dep8") || (run.group == "trtllm-deepseek-r1" && tensor <= 0)) {
      tensor = 1;
      data = 8;
      ways = 8;
    } else if (holds(note, "tep8")) {
      tensor = 8;
      ways = 8;
    }
  }
  const bool any_mesh = tensor <= 0 && run.group == "mlperf-inference";
  if (tensor <= 0 && row.number("n_chips", 0) == 1) tensor = 1;
  if (tensor <= 0 && !any_mesh) throw Unusable{"the mesh is not stated"};
  auto& serving = input.serving;
  set(serving, "promptTokens", std::fmax(1, std::floor(prompt + 0.5)));
  set(serving, "answerTokens", std::fmax(1, std::floor(answer + 0.5)));
  if (more.number("n_ubatch", 0) > 0) set(input.server, "tokenBudget", more.number("n_ubatch"));
  set(input.server, "longestSequence",
      std::fmax(1, more.number("sequence_length", prompt + answer)));
  const double stages = row.number("pp", 1);
  set(serving, "pipeline", stages);
  const auto divide = [&](double t) {
    set(serving, "tensor", t);
    set(serving, "attentionData", data);
    const double all = std::fmax(1, std::fmin(ways, t * data));
    set(serving, "expert", run.sparse ? all : 1.0);
    const double one = t * data * stages;
    set(serving, "chips", one);
    return one;
  };

  const bool stream = run.group == "gpt-fast" || run.group == "vllm-itl-fit";
  if (run.group == "trtllm-ifb" || any_mesh || holds(load, "max throughput, in-flight")) {
    choose(serving, "load", ServingLoad::kMost);
    set(input.server, "mostSequences", std::fmin(2048, more.number("num_requests", 2048)));
    set(input.server, "memoryShare",
        more.number("kv_memory_fraction", input.server.values[index_of<Server>("memoryShare")]));
  } else if (run.group == "trtllm-online" || more.number("qps", 0) > 0) {
    const double rate = more.number("qps", 0);
    if (rate > 0) {
      choose(serving, "load", ServingLoad::kOpen);
      set(serving, "requestRate", rate);
      if (more.number("requests_per_s_published", rate) < 0.9 * rate) {
        throw Unusable{"saturated: fewer requests were served than came"};
      }
      run.loaded = true;
    } else {
      set(serving, "users", 500.0);
      set(serving, "together", 1.0);
      run.loaded = true;
    }
  } else if (stream || holds(load, "single") || run.group == "nemo-launcher") {
    set(serving, "users", std::fmax(1, batch));
  } else if (one_step) {
    choose(serving, "load", ServingLoad::kStatic);
    set(serving, "users", batch);
    set(input.server, "tokenBudget", 16384.0);
    set(input.server, "redundantExperts", 32.0);
    run.measured[0] = 0;
  } else if (holds(load, "static") || holds(load, "batch") || holds(load, "llama-bench")) {
    choose(serving, "load", ServingLoad::kStatic);
    set(serving, "users", std::fmax(1, batch));
  } else if (batch > 0) {
    set(serving, "users", batch);
    run.loaded = batch > 1;
    if (holds(note, "15%")) set(serving, "together", 0.0);
  } else {
    throw Unusable{"the load is not stated"};
  }
  if (run.group == "trtllm-static") {
    choose(serving, "load", ServingLoad::kStatic);
    run.loaded = false;
  }

  const bool interactive = holds(load, "interactive");
  if (any_mesh && (interactive || holds(load, "server"))) {
    for (const auto& limits : kServerLimits) {
      if (lower_case(run.model).rfind(lower_case(limits.model), 0) != 0) continue;
      const auto& kept = interactive ? limits.interactive : limits.server;
      if (kept.first <= 0) throw Unusable{"a category without limits"};
      set(serving, "targetShare", 0.99);
      set(serving, "firstTarget", kept.first);
      run.token_limit = kept.token;
      run.loaded = true;
    }
  }
  if (any_mesh) {
    // The division that the model finds fastest.
    const double chips = row.number("n_chips");
    double best = 0;
    double found = 0;
    for (const double t : {1.0, 2.0, 4.0, 8.0}) {
      if (t > chips) continue;
      divide(t);
      if (run.token_limit > 0) set_largest_rate(input, run.token_limit, kServingConstants);
      const auto outcome = estimate<ServingQuestion>(input);
      if (!outcome.issues.empty()) continue;
      const auto speed = outcome.answers.get<term::kOutputSpeed>();
      if (!speed.present() || speed.value.value() * chips / t <= best) continue;
      best = speed.value.value() * chips / t;
      found = t;
    }
    if (found <= 0) throw Unusable{"no division of the chips holds the model"};
    divide(found);
    set(serving, "chips", chips);
    if (run.token_limit > 0) set_largest_rate(input, run.token_limit, kServingConstants);
  } else {
    divide(tensor);
  }
  // A run of prompts alone counts the tokens of prompts.
  if (stream || holds(load, "llama-bench pp")) run.measured[0] = 0;
  if (run.group == "nemo-launcher") run.measured[0] = user_speed;
  run.unfit = unfit_of(run, row);
  keep(run);
}

/// Columns of a silicon row as numbers.
double column(const CsvRow& row, const std::string& key, double missing) {
  const auto found = row.find(key);
  if (found == row.end() || found->second.empty()) return missing;
  char* end = nullptr;
  const double value = std::strtod(found->second.c_str(), &end);
  if (end == found->second.c_str() || !(value >= 0) || value > 1e18) {
    throw Unusable{key + " is no number"};
  }
  return value;
}

/// Tensor, data and expert ways of a system, as InferenceX has them. Some rows give the product of
/// equal factors, or the chips of all servers together, where others give the ways of one.
struct Mesh3 {
  double tensor, data, expert;
};

Mesh3 mesh_of(const CsvRow& row, const std::string& prefix, bool sparse) {
  double tensor = column(row, prefix + "tp_size", 0);
  double data = std::fmax(1, column(row, prefix + "attention_dp_size", 1));
  const double inner = column(row, prefix + "moe_tp_size", 0);
  double expert = column(row, prefix + "moe_ep_size", 0);
  if (tensor <= 0) throw Unusable{"the mesh is not stated"};
  if (inner > 1 && inner == expert && inner * expert == tensor * data) {
    if (data > 1) return {1, inner, inner};
    return {inner, 1, sparse ? inner : 1};
  }
  if (data > 1 && data == tensor && expert == tensor * data) return {1, data, data};
  const auto software = lower_case(cell_of(row, "backend"));
  // Servers of SGLang for few users that only decode have tensor ways, though rows say data ways.
  const bool few = prefix == "decode_" && software == "sglang";
  if (few && tensor == 1 && data <= 4 && inner == data && expert <= 1) return {data, 1, 1};
  // Experts that vLLM divides over several nodes, and its prefill, have a rank of attention each.
  if (software == "vllm" && (tensor > 8 || (prefix == "prefill_" && tensor > 1)) &&
      expert == tensor)
    return {1, tensor, tensor};
  if (tensor > 16) throw Unusable{"the mesh counts the chips of all servers"};
  if (!sparse) return {tensor, data, 1};
  // Ranks of attention beyond a node hold whole experts, whichever column says so.
  if (data > 8) return {tensor, data, tensor * data};
  if (!(expert >= 1) || std::fmod(tensor * data, expert) != 0) expert = 1;
  return {tensor, data, expert};
}

/// Settings with which the scripts of InferenceX start a server and which rows do not say; the
/// first recipe that holds is taken. Software sends tokens by tens, the first with them: SGLang to
/// 0.5.9, TensorRT-LLM 1.1. Later versions and vLLM send the first at once; SGLang 0.5.10 looks for
/// requests every ten steps. Source: SemiAnalysisAI/InferenceX, benchmarks/single_node and
/// configs/nvidia-master.yaml, December 2025 to April 2026.
struct Recipe {
  const char* software;
  const char* version;  ///< that it begins with; empty: any
  const char* model;
  const char* system;     ///< that the chip's name begins with; empty: any
  const char* precision;  ///< empty: any
  double interval;        ///< tokens that come with the first, or before it
  double budget;          ///< tokens of a step; 0: two prompts
  bool cache8;            ///< the cache in 8 bits
  bool beside = false;    ///< asks the host to schedule the next step while one runs
};

constexpr Recipe kRecipes[] = {
    {"sglang", "0.5.10", "qwen3.5", "b", "bf16", 10, 32768, false},
    {"sglang", "0.5.10", "qwen3.5", "b", "", 10, 32768, true},
    {"sglang", "", "qwen3.5", "b", "bf16", 30, 32768, false},
    {"sglang", "", "qwen3.5", "b", "", 30, 32768, true},
    {"sglang", "", "deepseek", "", "fp4", 10, 16384, true},
    {"sglang", "", "deepseek", "b", "", 10, 32768, true},
    {"sglang", "", "deepseek", "h200", "", 10, 32768, false},
    {"trtllm", "", "deepseek", "", "", 10, 8192, true},
    {"trtllm", "", "gpt-oss", "h", "", 1, 20000, false},
    {"trtllm", "", "gpt-oss", "", "", 1, 20000, true},
    {"vllm", "", "gpt-oss", "b", "", 1, 8192, true, true},
    {"vllm", "", "gpt-oss", "h", "", 1, 8192, false, true},
    {"vllm", "0.19", "minimax", "b", "", 1, 0, true},
};

/// Sets the load that a benchmark makes, and what it starts its servers with. InferenceX has
/// prompts and answers of 1,024 or 8,192 tokens, each shorter by up to a fifth by chance, and ten
/// requests a user: they come apart after the first wave of ten. Other requests of equal lengths
/// come apart where prompts join steps that decode; SGLang has prompts in steps of their own, so
/// that all that wait stay together. Drafts made by the model's own head (MTP) are not said either:
/// Qwen3.5 in fp8 on SGLang 0.5.9 has four tensor ways and undivided experts only with three drafts
/// a step (qwen3.5-fp8-b200-sglang-mtp); without, experts are divided by four, or all by eight.
void set_load(ServingRun& run, const std::string& version, const Mesh3& mesh, double prompt,
              double answer) {
  auto& input = run.input;
  const auto software = lower_case(run.software);
  const auto model = lower_case(run.model);
  const auto drawn = [](double tokens) { return tokens == 1024 || tokens == 8192; };
  if (!drawn(prompt) || !drawn(answer)) {
    if (software == "sglang") set(input.serving, "together", 1.0);
    return;
  }
  set(input.serving, "together", 0.15);
  for (const Recipe& recipe : kRecipes) {
    if (software != recipe.software || version.rfind(recipe.version, 0) != 0 ||
        !holds(model, recipe.model) || run.chip.rfind(recipe.system, 0) != 0 ||
        run.precision.rfind(recipe.precision, 0) != 0) {
      continue;
    }
    set(input.server, "streamInterval", recipe.interval);
    set(input.server, "tokenBudget", recipe.budget > 0 ? recipe.budget : 2 * prompt);
    choose(input.server, "cacheFormat", recipe.cache8 ? KvFormat::kFp8 : KvFormat::kBf16);
    if (recipe.beside && !run.engine.empty()) choose(input.server, "host", HostWork::kScripted);
    break;
  }
  if (software == "sglang" && version == "0.5.9" && holds(model, "qwen3.5") &&
      run.precision == "fp8" && mesh.tensor == 4 && mesh.data == 1 && mesh.expert == 1) {
    set(input.serving, "draftTokens", 3.0);
  }
}

/// Sets the servers that read prompts and those that answer. The recipe has what a row leaves out:
/// the workers, and how many sequences each answers at a time.
void set_pools(ServingRun& run, const CsvRow& stated, const ServingPresets& presets) {
  auto row = stated;
  auto& serving = run.input.serving;
  if (const auto* recipe = recipe_of(stated, presets.recipes)) {
    if (column(stated, "decode_num_workers", 0) < 1) {
      for (const auto& [name, value] : *recipe) row[name] = value;
    }
    set(run.input.server, "mostSequences", column(*recipe, "largest_batch", 1));
  }
  const double prefillers = column(row, "prefill_num_workers", 0);
  const double decoders = column(row, "decode_num_workers", 0);
  if (prefillers < 1 || decoders < 1) throw Unusable{"the number of workers is not stated"};
  const auto first = mesh_of(row, "prefill_", run.sparse);
  const auto then = mesh_of(row, "decode_", run.sparse);
  const double stages = std::fmax(1, column(row, "decode_pp_size", 1));
  if (column(row, "prefill_pp_size", 1) > 1) throw Unusable{"prefill in stages is not counted"};
  const double of_prefill = prefillers * first.tensor * first.data;
  set(serving, "apart", 1.0);
  set(serving, "prefillChips", of_prefill);
  set(serving, "prefillTensor", first.tensor);
  set(serving, "prefillData", first.data);
  set(serving, "prefillExpert", first.expert);
  set(serving, "tensor", then.tensor);
  set(serving, "attentionData", then.data);
  set(serving, "expert", then.expert);
  set(serving, "pipeline", stages);
  set(serving, "chips", of_prefill + decoders * then.tensor * then.data * stages);
}

/// The load and the times of a row, which tell measurements apart: two that agree in all digits are
/// one, which its source lists under two names, at times with other words for its mesh.
std::vector<std::string> measurement_of(const CsvRow& row) {
  std::vector<std::string> cells;
  for (const char* name : {"backend", "system", "precision", "mode", "isl", "osl", "concurrency",
                           "silicon_ttft_ms", "silicon_tpot_ms"}) {
    cells.push_back(cell_of(row, name));
  }
  return cells;
}

void read_silicon(const CsvRow& row, const ServingPresets& presets, ServingRun& run) {
  run.silicon = true;
  run.id = cell_of(row, "id");
  run.chip = cell_of(row, "system");
  run.group = "aiconfigurator";
  run.citation = "ai-dynamo/aiconfigurator measured points";
  run.software = cell_of(row, "backend");
  auto path = cell_of(row, "model_path");
  run.model = path.substr(path.find('/') + 1);
  run.precision = cell_of(row, "precision");
  run.family = run.model + "|" + run.chip;
  static const std::map<std::string, std::string> kChips{
      {"h100_sxm", "h100-sxm"},      {"h200_sxm", "h200-sxm"}, {"b200_sxm", "b200-sxm"},
      {"b300_sxm", "b300-sxm"},      {"gb200", "gb200-nvl72"}, {"gb300", "gb300-nvl72"},
      {"a100_sxm", "a100-sxm-80gb"}, {"l40s", "l40s"}};
  const auto chip = kChips.find(run.chip);
  if (chip == kChips.end() || presets.presets.chips.count(chip->second) == 0) {
    throw Unusable{"a chip without figures"};
  }
  auto& input = run.input;
  run.preset = chip->second;
  input.chip = presets.presets.chips.at(chip->second);
  const auto name = lower_case(run.model);
  static const std::pair<const char*, const char*> kModels[] = {
      {"deepseek-r1", "deepseek-r1"},
      {"deepseek-v3.2", "deepseek-v3.2"},
      {"deepseek-v3", "deepseek-v3"},
      {"gpt-oss-120b", "gpt-oss-120b"},
      {"gpt-oss-20b", "gpt-oss-20b"},
      {"qwen3-32b", "qwen3-32b"},
      {"qwen3-235b", "qwen3-235b-a22b"},
      {"qwen3-30b", "qwen3-30b-a3b"},
      {"llama-3.1-8b", "llama-3.1-8b"},
      {"llama-3.1-70b", "llama-3.1-70b"},
      {"llama-3.1-405b", "llama-3.1-405b"},
      {"llama-3.3-70b", "llama-3.3-70b"},
      {"kimi-k2", "kimi-k2"},
      {"glm-5", "glm-5"},
      {"qwen3.5-397b", "qwen3.5-397b-a17b"},
      {"minimax-m2", "minimax-m2.5"},
      {"nemotron-3-super", "nemotron-3-super-120b-a12b"},
      {"nemotron-3-nano", "nemotron-3-nano-30b-a3b"}};
  bool known = false;
  for (const auto& [part, preset] : kModels) {
    if (known || !holds(name, part) || presets.models.count(preset) == 0) continue;
    input.model = presets.models.at(preset);
    known = true;
  }
  if (!known) throw Unusable{"the sizes of the model are not given"};
  set(input.model, "contextLength", 0.0);
  run.sparse = input.model.values[index_of<Model>("experts")] > 0;
  const bool latent = input.model.values[index_of<Model>("attention")] > 0;

  input.server = Raw<Server>::defaults();
  input.serving = Raw<Serving>::defaults();
  const auto version = cell_of(row, "backend_version");
  const Json* server =
      server_of(run.software + " " + (version.empty() ? "unversioned" : version), presets);
  if (server != nullptr) {
    run.server = server->at("id");
    run.engine = server->at("engine");
    apply_to(input.server, server->at("server"));
  }
  auto precision = run.precision;
  if (precision.empty()) precision = "bf16";
  // MoE models and Qwen3 have fp8 weights in blocks.
  const bool blocks = run.sparse || holds(name, "qwen3");
  set_weights(input.server, precision, blocks, latent, holds(name, "gpt-oss"));
  const bool low = precision != "bf16" && lower_case(run.software) == "trtllm";
  choose(input.server, "cacheFormat", low ? KvFormat::kFp8 : KvFormat::kBf16);

  const double prompt = column(row, "isl", 0);
  const double answer = column(row, "osl", 0);
  const double users = column(row, "concurrency", 0);
  run.measured[1] = column(row, "silicon_tpot_ms", 0) / 1e3;
  run.measured[2] = column(row, "silicon_ttft_ms", 0) / 1e3;
  if (prompt < 1 || answer < 1) throw Unusable{"the lengths are not stated"};
  if (users < 1) throw Unusable{"the number of users is not stated"};
  if (run.measured[1] > 0 && run.measured[2] > 0) {
    run.measured[0] = users * answer / (run.measured[2] + (answer - 1) * run.measured[1]);
  }
  run.loaded = users > 1;
  auto& serving = input.serving;
  set(serving, "promptTokens", prompt);
  set(serving, "answerTokens", answer);
  set(serving, "users", users);
  const bool apart = cell_of(row, "mode") == "disagg";
  if (apart) {
    run.apart = true;
    set_pools(run, row, presets);
  } else {
    const auto mesh = mesh_of(row, "", run.sparse);
    set_load(run, version, mesh, prompt, answer);
    const double stages = std::fmax(1, column(row, "pp_size", 1));
    set(serving, "tensor", mesh.tensor);
    set(serving, "attentionData", mesh.data);
    set(serving, "expert", mesh.expert);
    set(serving, "pipeline", stages);
    set(serving, "chips", mesh.tensor * mesh.data * stages);
  }
  // A measured server ran, in a way that its source does not tell: such a row says that matrices or
  // heads are padded. These are experts of MiniMax-M2.5 on 8 ways, which may have been expert ways,
  // and one server of 12 chips, which may have been several.
  const auto uneven = cell_of(row, "uneven");
  if (holds(uneven, "blocks")) set(input.server, "unevenBlocks", 1.0);
  if (holds(uneven, "heads")) set(input.server, "unevenHeads", 1.0);
  if (prompt == 15000 && holds(name, "nvfp4") && !run.apart) {
    run.unfit = "prompts repeat: more of them a second than the peak allows";
  }
  if (value_of(input.chip, "peakFp4") != value_of(input.chip, "peakFp4") && precision == "fp4") {
    run.unfit = "4 bits on a chip that computes in none";
  }
  keep(run);
}

}  // namespace

ServingPresets read_serving_presets(const std::string& folder, std::string& error) {
  ServingPresets result;
  result.presets = read_presets(folder, error);
  if (!error.empty()) return result;
  std::ifstream models(folder + "/models.json");
  std::ifstream servers(folder + "/servers.json");
  const Json all = Json::parse(models, nullptr, false);
  const Json software = Json::parse(servers, nullptr, false);
  if (all.is_discarded() || software.is_discarded()) {
    error = "cannot read models.json and servers.json in " + folder;
    return result;
  }
  for (const auto& model : all.at("models")) {
    auto raw = Raw<Model>::defaults();
    for (const auto& [key, value] : model.at("architecture").items()) set(raw, key, value);
    result.models[model.at("id").get<std::string>()] = raw;
  }
  result.servers = software.at("servers");
  result.recipes = read_serving_recipes(folder, error);
  return result;
}

ServingRun read_serving_run(const Json& row, const ServingPresets& presets) {
  return run_of<ServingRun>([&](ServingRun& run) { read(row, presets, run); });
}

ServingRun read_silicon_run(const CsvRow& row, const ServingPresets& presets) {
  return run_of<ServingRun>([&](ServingRun& run) { read_silicon(row, presets, run); });
}

bool is_serving_row(const Json& row) {
  return row.is_object() && (row.contains("isl") || row.contains("osl") || row.contains("load") ||
                             row.contains("weight_precision"));
}

std::vector<ServingRun> read_serving_runs(const std::string& file, const ServingPresets& presets,
                                          std::string& error) {
  std::ifstream stream(file);
  if (!stream) {
    error = "cannot read " + file;
    return {};
  }
  if (is_csv(file)) {
    const auto table = csv_table(stream);
    if (table.names.empty()) error = file + " is empty";
    std::vector<ServingRun> runs;
    std::set<std::vector<std::string>> counted;
    for (const auto& row : table.rows) {
      auto run = read_silicon_run(row, presets);
      const bool again = run.reason.empty() && !counted.insert(measurement_of(row)).second;
      if (again) run.reason = "a measurement that the source lists twice";
      runs.push_back(std::move(run));
    }
    return runs;
  }
  return read_list<ServingRun>(stream, file, error,
                               [&](const Json& row) { return read_serving_run(row, presets); });
}

std::array<ServingPrediction, kServingMeasures> predict(const ServingRun& run,
                                                        const ServingConstants& constants) {
  auto answers = ServingQuestion::answer(run.typed, constants);
  auto upper = answers.get<term::kOutputSpeedUpper>();
  if (run.token_limit > 0) {
    auto input = run.input;
    set_largest_rate(input, run.token_limit, constants);
    answers = ServingQuestion::answer(ServingQuestion::read<double>(input), constants);
    // The bound holds for batches of any size.
    choose(input.serving, "load", ServingLoad::kMost);
    upper = ServingQuestion::answer(ServingQuestion::read<double>(input), constants)
                .get<term::kOutputSpeedUpper>();
  }
  std::array<ServingPrediction, kServingMeasures> result;
  const auto take = [](ServingPrediction& to, const auto& bound, const auto& low,
                       const auto& expected, const auto& high) {
    to.present = expected.present();
    if (!to.present) return;
    to.expected = expected.value.value();
    to.bound = bound.present() ? bound.value.value() : 0;
    to.low = low.present() ? low.value.value() : to.expected;
    to.high = high.present() ? high.value.value() : to.expected;
  };
  take(result[0], upper, answers.get<term::kOutputSpeedLow>(), answers.get<term::kOutputSpeed>(),
       answers.get<term::kOutputSpeedHigh>());
  take(result[1], answers.get<term::kTokenTimeLower>(), answers.get<term::kTokenTimeLow>(),
       answers.get<term::kTokenTime>(), answers.get<term::kTokenTimeHigh>());
  take(result[2], answers.get<term::kFirstTokenLower>(), answers.get<term::kFirstTokenLow>(),
       answers.get<term::kFirstToken>(), answers.get<term::kFirstTokenHigh>());
  return result;
}

}  // namespace scaling::evidence
