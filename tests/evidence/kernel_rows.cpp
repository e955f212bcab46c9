// SPDX-License-Identifier: MIT
#include "kernel_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

#include "csv.hpp"

namespace scaling::evidence {
namespace {

using Number = Count<double>;
using Bytes = Quantity<kByte, double>;

/// A line of a table, by the names of its columns. Remembers the first thing that was wrong.
class Line {
 public:
  Line(const std::map<std::string, std::size_t>& columns, const std::vector<std::string>& fields)
      : columns_(columns), fields_(fields) {}

  bool has(const std::string& name) const {
    const auto column = columns_.find(name);
    return column != columns_.end() && column->second < fields_.size() &&
           !fields_[column->second].empty();
  }
  std::string text(const std::string& name) {
    if (has(name)) return fields_[columns_.at(name)];
    refuse(columns_.count(name) == 0 ? "no column " + name : "no " + name);
    return {};
  }
  std::string text_or(const std::string& name, const std::string& otherwise) const {
    return has(name) ? fields_[columns_.at(name)] : otherwise;
  }
  double number(const std::string& name) {
    const std::string field = text(name);
    if (!reason_.empty()) return 0;
    char* end = nullptr;
    const double value = std::strtod(field.c_str(), &end);
    if (end != field.c_str() + field.size() || !std::isfinite(value)) {
      refuse(name + " is no number: " + field.substr(0, 40));
      return 0;
    }
    return value;
  }
  /// A size: a whole number from 1 on, or from 0 if that means something.
  Number size(const std::string& name, double least = 1) {
    const double value = number(name);
    if (reason_.empty() && (value < least || value > 1e12 || value != std::floor(value))) {
      refuse(name + " is no size: " + fields_[columns_.at(name)].substr(0, 40));
    }
    return Number(value);
  }

  void refuse(const std::string& reason) {
    if (reason_.empty()) reason_ = reason;
  }
  const std::string& reason() const { return reason_; }

 private:
  const std::map<std::string, std::size_t>& columns_;
  const std::vector<std::string>& fields_;
  std::string reason_;
};

/// A kernel read from a line, with the format under which its error is counted.
struct Parsed {
  MeasuredKernel kernel;
  std::string format;
};

/// Nothing else drives the operands of a kernel out of L2 in its benchmark.
constexpr Heat kBenchmark = Heat::kHot;

/// Copies of the weights that the collector of matmuls reads in turn, so that they don't stay in a
/// small cache: as many as its L2 holds, 5 at most.
double weight_copies(double weight_bytes, double cache) {
  return std::max(1.0, std::min(5.0, std::ceil(cache / weight_bytes)));
}

Parsed read_matmul(Line& line, const KernelChip<double>& chip) {
  const std::string type = line.text("gemm_dtype");
  struct Type {
    const char* name;
    KernelFormat format;
    Format activation, weight;
    Quantising quantising;
  };
  constexpr Type kTypes[] = {
      {"bfloat16", KernelFormat::kBf16, Format::kBf16, Format::kBf16, Quantising::kFused},
      {"float16", KernelFormat::kBf16, Format::kFp16, Format::kFp16, Quantising::kFused},
      {"sq", KernelFormat::kFp8, Format::kInt8, Format::kInt8, Quantising::kDynamic},
      {"fp8", KernelFormat::kFp8, Format::kFp8, Format::kFp8, Quantising::kDynamic},
      {"fp8_block", KernelFormat::kFp8Block, Format::kFp8, Format::kFp8, Quantising::kDynamic},
      {"nvfp4", KernelFormat::kFp4, Format::kFp4, Format::kFp4, Quantising::kDynamic},
  };
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const Type& t) { return t.name == type; });
  MatmulKernel<double> kernel{};
  kernel.shape.batch = line.size("m");
  kernel.shape.output = line.size("n");
  kernel.shape.contraction = line.size("k");
  if (found == std::end(kTypes)) {
    const bool widens = type == "int8_wo" || type == "int4_wo";
    line.refuse(widens ? "kernels that widen weights are others"
                       : "gemm_dtype is not known: " + type.substr(0, 40));
    return {kernel, type};
  }
  kernel.shape.activation_format = found->activation;
  kernel.shape.weight_format = found->weight;
  kernel.shape.output_format = Format::kBf16;
  kernel.format = found->format;
  kernel.quantising = found->quantising;
  kernel.sustained = {};
  kernel.heat = kBenchmark;
  const double weights = (kernel.shape.contraction * kernel.shape.output).value() *
                         stored_bytes<double>(found->weight).value();
  kernel.rotation = Number(weight_copies(weights, chip.cache.value()));
  return {kernel, type};
}

Parsed read_experts(Line& line, const KernelChip<double>&) {
  const std::string type = line.text("moe_dtype");
  const std::string library = line.text_or("kernel_source", "");
  struct Type {
    const char* name;
    KernelFormat format;
    Format weight;
  };
  constexpr Type kTypes[] = {
      {"bfloat16", KernelFormat::kBf16, Format::kBf16},
      {"float16", KernelFormat::kBf16, Format::kFp16},
      {"fp8", KernelFormat::kFp8, Format::kFp8},
      {"fp8_block", KernelFormat::kFp8Block, Format::kFp8},
      {"nvfp4", KernelFormat::kFp4, Format::kFp4},
  };
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const Type& t) { return t.name == type; });
  MeasuredExperts experts;
  auto& kernel = experts.kernel;
  kernel.tokens = line.size("num_tokens");
  kernel.hidden = line.size("hidden_size");
  kernel.inner = line.size("inter_size");
  kernel.top_k = line.size("topk");
  const Number all = line.size("num_experts");
  const Number tp = line.size("moe_tp_size");
  const Number ep = line.size("moe_ep_size");
  const std::string distribution = line.text("distribution");
  if (type.find("mxfp4") != std::string::npos) line.refuse("kernels for mxfp4 weights are others");
  if (found == std::end(kTypes)) line.refuse("moe_dtype is not known: " + type.substr(0, 40));
  if (library.find("min_latency") != std::string::npos) {
    line.refuse("kernels for the least latency are others");
  }
  if (!line.reason().empty()) return {experts, type};
  if (kernel.top_k > all || ep > all || tp > kernel.inner) {
    line.refuse("more choices or ranks than experts, or more ranks than columns");
  } else if (kernel.tokens.value() > 1e7 || all.value() > 1e5) {
    line.refuse("more tokens or experts than are drawn");
  } else {
    experts.loads = expert_loads(kernel.tokens.value(), kernel.top_k.value(), all.value(),
                                 ep.value(), distribution);
    if (experts.loads.empty()) line.refuse("distribution is not known: " + distribution);
  }
  kernel.experts = all / ep;
  kernel.inner = kernel.inner / tp;
  kernel.gated = library.find("nongated") == std::string::npos;
  if (found != std::end(kTypes)) {
    kernel.format = found->format;
    kernel.weight_format = found->weight;
  }
  kernel.sustained = {};
  kernel.heat = kBenchmark;
  return {experts, type};
}

CacheFormat cache_format(Line& line) {
  const std::string type = line.text("kv_cache_dtype");
  if (type == "fp8") return CacheFormat::kFp8;
  if (type != "bfloat16" && type != "float16" && !type.empty()) {
    line.refuse("kv_cache_dtype is not known: " + type.substr(0, 40));
  }
  return CacheFormat::kBf16;
}

std::string cache_name(CacheFormat format) {
  return format == CacheFormat::kFp8 ? "fp8 cache" : "bfloat16 cache";
}

/// Kernels of other libraries than the one that a chip's constants are of.
void refuse_others(Line& line) {
  const std::string library = line.text_or("kernel_source", "");
  if (library.find("triton") != std::string::npos) {
    line.refuse("Triton's attention is another kernel");
  } else if (line.number("head_dim") > 256) {
    line.refuse("heads wider than 256 have another kernel");
  }
}

/// Fields that prefill and decode kernels share.
template <class Kernel>
void read_heads(Line& line, Kernel& kernel) {
  kernel.sequences = line.size("batch_size");
  kernel.heads = line.size("num_heads");
  kernel.kv_heads = line.size("num_key_value_heads");
  kernel.head_dim = line.size("head_dim");
  if (line.has("window_size")) kernel.window = line.size("window_size", 0);
  kernel.cache = cache_format(line);
  kernel.heat = kBenchmark;
  if (kernel.kv_heads > kernel.heads) line.refuse("more key heads than query heads");
  refuse_others(line);
}

Parsed read_prefill(Line& line, const KernelChip<double>&) {
  PrefillKernel<double> kernel{};
  kernel.queries = line.size("isl");
  read_heads(line, kernel);
  return {kernel, cache_name(kernel.cache)};
}

Parsed read_decode(Line& line, const KernelChip<double>&) {
  DecodeKernel<double> kernel{};
  kernel.keys = line.size("step", 0) + Number(1);
  read_heads(line, kernel);
  return {kernel, cache_name(kernel.cache)};
}

// The publisher's latent attention is DeepSeek-V3's.
constexpr double kRank = 512;
constexpr double kRope = 64;
constexpr double kNope = 128;
constexpr double kValue = 128;

Parsed read_latent_prefill(Line& line, const KernelChip<double>&) {
  LatentPrefillKernel<double> kernel{};
  kernel.sequences = line.size("batch_size");
  kernel.queries = line.size("isl");
  kernel.heads = line.size("num_heads");
  kernel.rank = Number(kRank);
  kernel.nope = Number(kNope);
  kernel.rope = Number(kRope);
  kernel.value = Number(kValue);
  kernel.cache = cache_format(line);
  kernel.heat = kBenchmark;
  return {kernel, cache_name(kernel.cache)};
}

Parsed read_latent_decode(Line& line, const KernelChip<double>&) {
  LatentDecodeKernel<double> kernel{};
  kernel.sequences = line.size("batch_size");
  kernel.keys = line.size("step", 0) + Number(1);
  kernel.heads = line.size("num_heads");
  kernel.rank = Number(kRank);
  kernel.rope = Number(kRope);
  kernel.cache = cache_format(line);
  kernel.heat = kBenchmark;
  return {kernel, cache_name(kernel.cache)};
}

CollectiveKind collective_kind(Line& line) {
  const std::string name = line.text("op_name");
  if (name == "all_gather") return CollectiveKind::kAllGather;
  if (name == "reduce_scatter") return CollectiveKind::kReduceScatter;
  if (name == "alltoall" || name == "all_to_all") return CollectiveKind::kAllToAll;
  if (name != "all_reduce") line.refuse("op_name is not known: " + name.substr(0, 40));
  return CollectiveKind::kAllReduce;
}

/// Sizes of messages are numbers of the whole buffer.
Parsed read_collective(Line& line, const KernelChip<double>& chip, const std::string& type,
                       bool small) {
  CollectiveKernel<double> kernel{};
  kernel.kind = collective_kind(line);
  kernel.ranks = line.size("num_gpus");
  const bool bytes = type == "int8";
  if (!bytes && type != "half" && type != "bfloat16") {
    line.refuse("nccl_dtype is not known: " + type.substr(0, 40));
  }
  kernel.bytes = Bytes(line.number("message_size") * (bytes ? 1 : 2));
  if (line.reason().empty() && !(kernel.bytes.value() > 0)) line.refuse("message_size is no size");
  kernel.small = small;
  // Switches add up numbers of 16 bits, not of 8.
  kernel.in_network = !bytes;
  if (!(chip.link.value() > 0)) {
    line.refuse("the chip has no scale-up network: its host's was measured");
  } else if (small && !(chip.rates->small_all_reduce.bandwidth > 0)) {
    line.refuse("the chip has no such kernel");
  }
  return {kernel, type};
}

Parsed read_nccl(Line& line, const KernelChip<double>& chip) {
  return read_collective(line, chip, line.text("nccl_dtype"), false);
}

Parsed read_small(Line& line, const KernelChip<double>& chip) {
  return read_collective(line, chip, "half", true);
}

Parsed read_scale(Line& line, const KernelChip<double>&) {
  StreamingKernel<double> kernel{};
  kernel.kind = StreamKernel::kQuantiseScale;
  kernel.heat = kBenchmark;
  kernel.bytes = Bytes(2 * (line.size("m") * line.size("k")).value());
  return {kernel, "scale"};
}

/// Width of keys and values of the linear attentions that were measured, and their chunks.
constexpr double kLinearHead = 128;
constexpr double kLinearChunk = 64;

/// Kernels of a linear attention: by name, what they are and how many numbers of 16 bits they move.
Parsed read_linear(Line& line, const std::string& kind) {
  StreamingKernel<double> kernel{};
  const std::string name = line.text("kernel_source");
  const double sequences = line.size("batch_size").value();
  const double tokens = line.size("num_tokens").value();
  const double length = line.size("seq_len").value();
  kernel.heat = kBenchmark;
  const auto moves = [&](StreamKernel which, double bytes) {
    kernel.kind = which;
    kernel.bytes = Bytes(bytes);
  };
  const auto convolves = [&](StreamKernel which, double channels) {
    moves(which, 4 * tokens * channels);
    kernel.rows = Number(sequences * channels);
  };
  if (line.text_or("phase", "") == "verify") line.refuse("drafts that are verified are not priced");
  if (kind == "mamba2") {
    const double channels = line.size("nheads").value() * line.size("head_dim").value() +
                            2 * line.size("n_groups").value() * line.size("d_state").value();
    if (name == "causal_conv1d_fn") {
      convolves(StreamKernel::kMambaConvolution, channels);
    } else if (name == "causal_conv1d_update") {
      convolves(StreamKernel::kMambaConvolutionUpdate, channels);
    } else {
      line.refuse("kernel_source is not priced: " + name.substr(0, 40));
    }
    return {kernel, name};
  }
  const double heads = line.size("num_v_heads").value();
  const double state = 4 * sequences * heads * kLinearHead * kLinearHead;
  const double chunks = std::ceil(length / kLinearChunk);
  // Queries, keys, values and results of each token; chunks take twice that, filled up.
  const double moved = 8 * tokens * heads * kLinearHead;
  const double worked = 16 * sequences * kLinearChunk * chunks * heads * kLinearHead;
  const bool kimi = kind == "kda";
  // Queries, keys and values; before a gated delta rule, the same few whatever the model.
  const double channels = kimi ? 3 * heads * kLinearHead : 2048;
  if (name == "chunk_gated_delta_rule" || name == "chunk_kda") {
    moves(kimi ? StreamKernel::kKimiChunked : StreamKernel::kDeltaChunked, moved);
    kernel.padding = Bytes(worked - moved);
    kernel.chunks = Number(chunks);
  } else if (name == "fused_recurrent_gated_delta_rule") {
    moves(StreamKernel::kDeltaRecurrent, state);
  } else if (name == "fused_recurrent_kda_packed_decode" || name == "kda_fused_decode") {
    moves(StreamKernel::kKimiRecurrent, state);
  } else if (name == "causal_conv1d_fn") {
    convolves(StreamKernel::kDeltaConvolution, channels);
  } else if (name == "causal_conv1d_fn_qkv3") {
    convolves(StreamKernel::kKimiConvolution, channels);
  } else if (name == "causal_conv1d_update" && !kimi) {
    convolves(StreamKernel::kDeltaConvolutionUpdate, channels);
  } else {
    line.refuse("kernel_source is not priced: " + name.substr(0, 40));
  }
  return {kernel, name};
}

using Reader = std::function<Parsed(Line&, const KernelChip<double>&)>;

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all = {
      {"gemm", read_matmul},
      {"moe", read_experts},
      {"context-attention", read_prefill},
      {"generation-attention", read_decode},
      {"context-mla", read_latent_prefill},
      {"generation-mla", read_latent_decode},
      {"nccl", read_nccl},
      {"custom-allreduce", read_small},
      {"computescale", read_scale},
      {"gdn", [](Line& line, const auto&) { return read_linear(line, "gdn"); }},
      {"kda", [](Line& line, const auto&) { return read_linear(line, "kda"); }},
      {"mamba2", [](Line& line, const auto&) { return read_linear(line, "mamba2"); }},
  };
  return all;
}

/// Kind and chip of a file by its name; the longest kind that it begins with.
std::pair<std::string, std::string> parts_of(const std::string& path) {
  std::string stem = path.substr(path.find_last_of('/') + 1);
  stem = stem.substr(0, stem.find_last_of('.'));
  std::string kind;
  for (const auto& [name, unused] : readers()) {
    if (name.size() > kind.size() && stem.rfind(name + "-", 0) == 0) kind = name;
  }
  if (!kind.empty()) return {kind, stem.substr(kind.size() + 1)};
  const std::size_t dash = stem.find('-');
  if (dash == std::string::npos) return {stem, ""};
  return {stem.substr(0, dash), stem.substr(dash + 1)};
}

}  // namespace

std::vector<ExpertLoad<double>> expert_loads(double tokens, double top_k, double experts, double ep,
                                             const std::string& distribution) {
  const double total = tokens * top_k;
  const double own = std::floor(experts / ep);
  if (distribution == "balanced") {
    const double active =
        std::min(own, std::max(1.0, std::nearbyint(std::min(experts, total) / ep)));
    return {{Number(active), Number(std::max(total / ep, active) / active)}};
  }
  constexpr std::string_view kLaw = "power_law_";
  if (distribution.rfind(kLaw, 0) != 0) return {};
  const std::string tail = distribution.substr(kLaw.size());
  char* end = nullptr;
  const double exponent = std::strtod(tail.c_str(), &end);
  if (tail.empty() || *end != '\0' || !(exponent > 1) || exponent > 10) return {};

  // Popularities at even quantiles of the law, as whole rows that make up the total.
  const double low = total > experts ? 1 : 0.01;
  const double high = total > experts ? 0.8 * tokens : 2;
  const double power = 1 - exponent;
  std::vector<double> rows(static_cast<std::size_t>(experts));
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double u = (static_cast<double>(i) + 0.5) / experts;
    rows[i] = std::pow((std::pow(high, power) - std::pow(low, power)) * u + std::pow(low, power),
                       1 / power);
    sum += rows[i];
  }
  double missing = total;
  for (double& each : rows) {
    each = std::min(std::nearbyint(each * total / sum), tokens);
    missing -= each;
  }
  std::sort(rows.begin(), rows.end(), std::greater<>());
  // Missing rows go to experts with room, the most popular first; surplus rows are taken from the
  // least popular.
  const std::size_t count = rows.size();
  for (bool moved = true; moved && missing != 0;) {
    moved = false;
    for (std::size_t i = 0; i < count && missing != 0; ++i) {
      const double step = missing > 0 ? 1 : -1;
      double& each = rows[missing > 0 ? i : count - 1 - i];
      if (each + step > tokens || each + step < 0) continue;
      each += step;
      missing -= step;
      moved = true;
    }
  }
  std::sort(rows.begin(), rows.end(), std::greater<>());
  std::vector<double> mine;
  if (ep > 1) {
    // The fullest rank has the first, and every ep-th from the middle of the next ones on.
    mine.push_back(rows.front());
    for (double i = std::floor(ep / 2) + 1; i < experts && static_cast<double>(mine.size()) < own;
         i += ep) {
      mine.push_back(rows[static_cast<std::size_t>(i)]);
    }
  } else {
    mine = rows;
  }
  std::vector<ExpertLoad<double>> loads;
  for (const double each : mine) {
    if (each <= 0) continue;
    if (!loads.empty() && loads.back().rows.value() == each) {
      loads.back().experts = loads.back().experts + Number(1);
    } else {
      loads.push_back({Number(1), Number(each)});
    }
  }
  if (loads.empty()) loads.push_back({Number(1), Number(1)});
  return loads;
}

void read_kernel_rows(const std::string& path, const ChipSource& chips,
                      const std::function<void(KernelRow&&)>& take) {
  const auto [kind, chip] = parts_of(path);
  std::ifstream stream(path);
  read_kernel_table(stream, kind, chip, chips, take);
}

void read_kernel_table(std::istream& stream, const std::string& file_kind,
                       const std::string& file_chip, const ChipSource& chips,
                       const std::function<void(KernelRow&&)>& take) {
  std::string text;
  std::map<std::string, std::size_t> columns;
  if (!stream || !std::getline(stream, text)) {
    KernelRow row;
    row.kind = file_kind;
    row.chip = file_chip;
    row.reason = "the file can't be read";
    take(std::move(row));
    return;
  }
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  const auto names = csv_fields(text);
  for (std::size_t i = 0; i < names.size(); ++i) columns.emplace(names[i], i);

  // Longer lines than any of ours are cut: a file may hold anything.
  constexpr std::size_t kLongest = 1 << 16;
  for (std::size_t number = 1; std::getline(stream, text); ++number) {
    if (text.empty() || text == "\r") continue;
    if (text.size() > kLongest) text.resize(kLongest);
    const auto fields = csv_fields(text);
    Line line(columns, fields);
    KernelRow row;
    row.kind = line.text_or("kind", file_kind).substr(0, 60);
    row.chip = line.text_or("chip", file_chip).substr(0, 60);
    row.row = number;
    const auto reader = readers().find(row.kind);
    std::string why;
    const KernelChip<double>* chip = nullptr;
    if (reader == readers().end()) {
      line.refuse("kind is not known: " + row.kind);
    } else {
      chip = chips(row.chip, why);
      if (chip == nullptr) line.refuse(why);
    }
    row.measured = line.has("latency") || line.reason().empty() ? line.number("latency") * 1e-3 : 0;
    if (line.reason().empty() && !(row.measured > 0)) line.refuse("latency is not above 0");
    if (chip != nullptr) {
      auto parsed = reader->second(line, *chip);
      row.kernel = std::move(parsed.kernel);
      row.format = std::move(parsed.format);
    }
    row.reason = line.reason();
    if (row.reason.empty()) {
      const auto time = predict(*chip, row.kernel);
      if (!std::isfinite(time.expected.value()) || !(time.expected.value() > 0)) {
        row.reason = "sizes too large to be priced";
      }
    }
    take(std::move(row));
  }
}

KernelTime<double> predict(const KernelChip<double>& chip, const MeasuredKernel& kernel) {
  return std::visit(
      [&](const auto& each) {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, MeasuredExperts>) {
          auto layer = each.kernel;
          layer.loads = each.loads;
          return kernel_time(chip, layer);
        } else {
          return kernel_time(chip, each);
        }
      },
      kernel);
}

}  // namespace scaling::evidence
