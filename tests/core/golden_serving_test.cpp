// SPDX-License-Identifier: MIT
//
// Inference by the book's chapters 7 and 8, and what papers and repositories of serving count: AWQ,
// paged and scaled caches, speculative decoding. All are asked of the question of serving, at
// stated rates.

#include <cmath>

#include "golden.hpp"
#include "scaling/questions/serving/question.hpp"

namespace scaling::test::golden_serving_test {
namespace {

/// A model whose cache has as many bytes as a golden gives: so many heads in 16 bits.
Settings cache_of(const Given& in, double tokens) {
  double each = 4;
  if (in.has("cachePerToken")) each = in("cachePerToken");
  if (in.has("cachePerSequence")) each = in("cachePerSequence") / tokens;
  const double layers = each / 4 > 1e5 ? 100 : 1;
  return {{"layers", layers}, {"kvHeads", 1}, {"heads", 1024}, {"headDim", each / 4 / layers}};
}

/// Tokens of a sequence; any, where the golden gives bytes of the whole.
double context_of(const Given& in) { return in.has("context") ? in("context") : 1e5; }

Format weight_format(double bytes) {
  if (bytes == 0.5) return Format::kInt4;
  return bytes == 1 ? Format::kInt8 : Format::kBf16;
}

WeightFormat weights_in(double bytes) {
  const Format format = weight_format(bytes);
  if (format == Format::kInt4) return WeightFormat::kInt4;
  return format == Format::kInt8 ? WeightFormat::kInt8 : WeightFormat::kBf16;
}

/// Weights by their bytes, or by parameters of so many bytes.
Settings weights_of(const Given& in) {
  if (in.has("weights")) return {{"statedParameters", in("weights") / 2}};
  if (in.has("statedParameters")) return {{"statedParameters", in("statedParameters")}};
  return {{"statedParameters", 1}};
}

Raw<Chip> serving_chip(const Given& in) {
  auto chip = chip_of(in);
  // Weights take no time to compute with where no rate is given.
  if (!in.has("peak")) chip = with(chip, {{"peakBf16", 1e21}, {"peakInt8", 1e21}});
  return chip;
}

Raw<Server> stated_server(const Given& in) {
  auto server = make<Server>({{"rates", RatesFrom::kStated},
                              {"memoryShare", 1},
                              {"reservedMemory", 0},
                              {"allocation", CacheAllocation::kWhole},
                              {"blockTokens", 1},
                              {"divideByBatch", 1},
                              {"zeroPoints", ZeroPoints::kNone},
                              {"groupSize", 1e6},
                              {"tokenBudget", 1e9},
                              {"computeIn", ComputeIn::kBf16}});
  if (in.has("weightBytes")) server = with(server, {{"weights", weights_in(in("weightBytes"))}});
  if (in.has("computeEfficiency")) {
    server = with(server, {{"computeEfficiency", in("computeEfficiency")}});
  }
  return server;
}

Raw<Serving> serving_of(const Given& in, const Settings& settings) {
  const double chips = in.has("chips") ? in("chips") : 1;
  auto serving = make<Serving>({{"load", ServingLoad::kStatic},
                                {"users", in.has("users") ? in("users") : 1},
                                {"chips", chips},
                                {"tensor", chips}});
  return with(serving, settings);
}

auto ask(const Raw<Chip>& chip, const Raw<Model>& model, const Raw<Serving>& serving,
         const Raw<Server>& server) {
  return answers_to<ServingQuestion>({chip, model, serving, server});
}

Raw<Model> stated_model(const Given& in, double tokens) {
  auto model = make<Model>({{"hidden", 1}, {"feedForward", 1}, {"vocabulary", 1}});
  return with(with(model, cache_of(in, tokens)), weights_of(in));
}

/// A step at the golden's context on average, of a batch.
auto decode(const Given& in) {
  const double tokens = context_of(in);
  return ask(serving_chip(in), stated_model(in, tokens),
             serving_of(in, {{"promptTokens", tokens - 1}, {"answerTokens", 2}}),
             stated_server(in));
}

/// Sequences that are as long as the golden's context.
auto hold(const Given& in) {
  const double tokens = context_of(in);
  return ask(serving_chip(in), stated_model(in, tokens),
             serving_of(in, {{"promptTokens", tokens - 1}, {"answerTokens", 1}}),
             stated_server(in));
}

double decode_step(const Given& in) { return number<term::kDecodeStep>(decode(in)); }
double decode_speed(const Given& in) { return number<term::kDecodeSpeed>(decode(in)); }

KvFormat cache_format(double bytes) {
  if (bytes == 2) return KvFormat::kBf16;
  return bytes == 1 ? KvFormat::kInt8 : KvFormat::kInt4;
}

/// The cache of a model by its heads.
auto cache_of_heads(const Given& in, KvFormat format, const Settings& serving) {
  return ask(chip_of(in), model_of(in), serving_of(in, serving),
             with(stated_server(in), {{"cacheFormat", format}}));
}

double cache_of_load(const Given& in) {
  if (!in.has("cacheBytes")) return number<term::kKvOfSequences>(hold(in));
  return number<term::kKvOfSequences>(
      cache_of_heads(in, cache_format(in("cacheBytes")),
                     {{"promptTokens", in("context") - 1}, {"answerTokens", 1}}));
}

double cache_per_token(const Given& in) {
  return number<term::kKvPerToken>(cache_of_heads(in, cache_format(in("cacheBytes")), {}));
}

double memory_of_load(const Given& in) { return number<term::kMemoryOfLoad>(hold(in)); }

double serving_weights(const Given& in) { return number<term::kServingWeights>(hold(in)); }

/// Weights by their bytes, a cache by its heads.
double weights_over_cache(const Given& in) {
  const auto model = with(model_of(in), weights_of(in));
  const auto answers =
      ask(chip_of(in), model,
          serving_of(in, {{"promptTokens", in("context") - 1}, {"answerTokens", 1}}),
          stated_server(in));
  return number<term::kServingWeights>(answers) / number<term::kKvPerSequence>(answers);
}

/// The room for the cache beside the weights, on all chips. Without weights, of a single byte or
/// two.
double room_of_chips(const Given& in) { return in("chips") * number<term::kCacheRoom>(hold(in)); }

double fractional_chips(const Given& in) { return number<term::kChipsForWeights>(hold(in)); }
double weight_slice(const Given& in) { return number<term::kSliceForWeights>(hold(in)); }
double most_sequences(const Given& in) { return number<term::kMaxSequences>(hold(in)); }

/// A model whose cache is as small as a token's in a window. Weights and rates are a thousand times
/// as large, beside which that is nothing.
constexpr double kLarge = 1e3;

auto without_cache(const Given& in, double parameters, const Settings& serving,
                   const Raw<Chip>& chip) {
  const auto model = make<Model>({{"hidden", 1},
                                  {"feedForward", 1},
                                  {"vocabulary", 1},
                                  {"layers", 1},
                                  {"heads", 1024},
                                  {"kvHeads", 1},
                                  {"headDim", 1},
                                  {"slidingWindow", 1},
                                  {"windowedLayers", 1},
                                  {"statedParameters", kLarge * parameters}});
  const auto rate = [&](const char* key) {
    return std::fmin(kLarge * chip.values[index_of<Chip>(key)],
                     kFields<Chip>[index_of<Chip>(key)].maximum);
  };
  const auto larger = with(chip, {{"memory", 1e15},
                                  {"memoryBandwidth", rate("memoryBandwidth")},
                                  {"peakBf16", rate("peakBf16")}});
  return ask(larger, model, serving_of(in, serving),
             with(stated_server(in), {{"cacheFormat", KvFormat::kInt4}}));
}

double parameters_in(const Given& in) {
  return in.has("weights") ? in("weights") / 2 : in("statedParameters");
}

auto read_weights_alone(const Given& in) {
  return without_cache(in, parameters_in(in), {}, serving_chip(in));
}

double weight_step(const Given& in) { return number<term::kDecodeStep>(read_weights_alone(in)); }
double weight_speed(const Given& in) { return number<term::kDecodeSpeed>(read_weights_alone(in)); }
double weight_speed_per_chip(const Given& in) {
  return number<term::kDecodeSpeedPerChip>(read_weights_alone(in));
}

/// A step reads at most what a chip's memory holds.
double full_memory_step(const Given& in) {
  return number<term::kDecodeStep>(without_cache(in, in("memory") / 2, {}, serving_chip(in)));
}

double compute_step(const Given& in) {
  return number<term::kDecodeStep>(without_cache(
      in, in("statedParameters"), {}, with(serving_chip(in), {{"memoryBandwidth", 1e18}})));
}

/// Bytes of the weights that a step reads in its time.
double read_rate(const Given& in) {
  const auto answers = without_cache(in, 1e11, {}, serving_chip(in));
  return number<term::kServingWeights>(answers) / number<term::kDecodeStep>(answers) / kLarge;
}

double chips_for_step(const Given& in) { return std::ceil(weight_step(in) / in("step")); }

double fewest_chips(const Given& in) { return number<term::kFewestChips>(hold(in)); }

/// Weights that take the golden's step to read.
auto queries_of(const Given& in) {
  const double chips = in.has("chips") ? in("chips") : 1;
  return without_cache(in, in("step") * 1e12 * chips / 2,
                       {{"promptTokens", 1}, {"answerTokens", in("answer")}}, serving_chip(in));
}

double queries(const Given& in) { return number<term::kDecodeRequests>(queries_of(in)); }
double queries_per_chip(const Given& in) {
  return number<term::kDecodeRequestsPerChip>(queries_of(in));
}

double released_tokens(const Given& in) {
  return number<term::kReleasedTokens>(ask(
      chip_of(in), llama3_8b(),
      serving_of(in, {{"promptTokens", in("promptTokens")}, {"answerTokens", in("answerTokens")}}),
      stated_server(in)));
}

double prefill_time_of(const Given& in) {
  return number<term::kPrefillTime>(
      without_cache(in, in("statedParameters"),
                    {{"promptTokens", in("prompt")}, {"answerTokens", 1}}, serving_chip(in)));
}

/// A server of one chip of each kind: weights that take the step to read, and a rate that takes so
/// long for a prompt.
double prefill_balance(const Given& in) {
  const double parameters = in("step") * 1e12 / 2;
  const double prompt = 1e5;
  const auto chip = with(chip_of(in), {{"peakBf16", 2 * parameters * prompt / in("prefill")}});
  const auto answers = without_cache(in, parameters,
                                     {{"load", ServingLoad::kClosed},
                                      {"chips", 2},
                                      {"tensor", 1},
                                      {"apart", 1},
                                      {"prefillChips", 1},
                                      {"promptTokens", prompt},
                                      {"answerTokens", in("answer")}},
                                     chip);
  return number<term::kPrefillBalance>(answers);
}

// Limits in closed form.

auto limits(const Given& in, const Raw<Chip>& chip, const Raw<Model>& model) {
  return ask(chip, model, serving_of(in, {{"tensor", 1}}), stated_server(in));
}

double critical_batch(const Given& in) {
  return number<term::kServingCriticalBatch>(limits(in, serving_chip(in), llama3_8b()));
}

double expert_critical_batch(const Given& in) {
  const auto chip = with(chip_of(in), {{"peakBf16", in("criticalBatch") * 1e12}});
  return number<term::kServingCriticalBatch>(limits(in, chip, model_of(in)));
}

Raw<Chip> two_way_chip(const Given& in, double both_ways) {
  return with(serving_chip(in),
              {{"network", Network::kTorus}, {"torusX", 16}, {"linkBandwidth", both_ways / 2}});
}

double memory_over_network(const Given& in) {
  return number<term::kMemoryOverNetwork>(
      limits(in, two_way_chip(in, in("bothWays")), llama3_8b()));
}

double compute_over_network(const Given& in) {
  return number<term::kComputeOverNetwork>(
      limits(in, two_way_chip(in, in("bothWays")), llama3_8b()));
}

double decode_tensor_limit(const Given& in) {
  const auto chip = with(two_way_chip(in, 1e11), {{"memoryBandwidth", in("beta") * 1e11}});
  return number<term::kDecodeTensorLimit>(limits(in, chip, model_of(in)));
}

double stationary_ways(const Given& in) {
  return number<term::kStationaryWays>(limits(in, chip_of(in), model_of(in)));
}
double stationary_chips(const Given& in) {
  return number<term::kStationaryChips>(limits(in, chip_of(in), model_of(in)));
}

double flops_per_dollar(const Given& in) {
  return number<term::kFlopsPerDollar>(limits(in, chip_of(in), llama3_8b()));
}

double attention_intensity(const Given& in) {
  return number<term::kIntensity>(
      operate(in, {{"kind", kOperation<operations::Attention>}, {"heads", 1}, {"kvHeads", 1}}));
}

/// One matrix, divided among chips: its bytes, and its FLOPs.
double matmul_read(const Given& in) {
  return number<term::kDecodeStep>(
      without_cache(in, in("contraction") * in("output"), {}, serving_chip(in)));
}
double matmul_compute(const Given& in) {
  return number<term::kDecodeStep>(
      without_cache(in, in("contraction") * in("output"), {},
                    with(serving_chip(in), {{"memoryBandwidth", 1e18}})));
}

double vocabulary_parameters(const Given& in) {
  return number<term::kParametersVocabulary>(train(in));
}

double expert_parameters(const Given& in) {
  const auto model = with(model_of(in), {{"expertFeedForward", in("feedForward")}});
  const auto parameters = count_parameters(typed(model));
  return (without_norms(parameters)).value();
}

double expert_growth(const Given& in) {
  const auto dense = with(model_of(in), {{"experts", 0}});
  return expert_parameters(in) / without_norms(count_parameters(typed(dense))).value();
}

double forward_flops_per_token(const Given& in) {
  return number<term::kForwardFlopsPerToken>(train(in));
}

/// The share of a layer of two matrices.
double layer_step(const Given& in) {
  const auto model = with(model_of(in), {{"gatedFeedForward", false}});
  const double parameters = count_parameters(typed(model)).feed_forward.value();
  return number<term::kDecodeStep>(without_cache(in, parameters, {}, serving_chip(in)));
}

// Formats.

/// The part that a third matrix adds to a feed-forward block of two.
double awq_matrix(const Given& in) {
  const auto bytes = [&](bool gated) {
    const auto model = with(model_of(in), {{"gatedFeedForward", gated}});
    const auto server = make<Server>({{"weights", WeightFormat::kInt4},
                                      {"groupSize", in("groupSize")},
                                      {"zeroPoints", ZeroPoints::kSixteen}});
    return number<term::kServingWeights>(ask(chip_of(in), model, serving_of(in, {}), server));
  };
  return bytes(true) - bytes(false);
}

double mxfp4_bytes(const Given& in) {
  const auto server = make<Server>({{"weights", WeightFormat::kMxfp4}});
  return number<term::kWeightBits>(
      ask(chip_of(in), stated_model(in, 1), serving_of(in, {}), server));
}

double weights_of_preset(const Given& in) {
  return number<term::kServingWeights>(
      ask(chip_of(in), model_of(in), serving_of(in, {}), make<Server>({})));
}

double cache_block(const Given& in, KvFormat format) {
  const auto server = make<Server>({{"cacheFormat", format}, {"blockTokens", in("block")}});
  return number<term::kKvBlock>(ask(chip_of(in), model_of(in), serving_of(in, {}), server));
}
double scaled_cache_block(const Given& in) { return cache_block(in, KvFormat::kScaled8); }
double fp4_cache_block(const Given& in) { return cache_block(in, KvFormat::kNvfp4); }

double latent_cache_per_token(const Given& in) {
  return number<term::kKvPerToken>(cache_of_heads(in, KvFormat::kScaled8, {}));
}

/// Each tensor way has its heads.
double cache_on_chip(const Given& in) {
  const double ways = in("tensor");
  const auto answers = ask(chip_of(in), model_of(in),
                           serving_of(in, {{"chips", ways},
                                           {"tensor", ways},
                                           {"promptTokens", in("context") - 1},
                                           {"answerTokens", 1}}),
                           make<Server>({}));
  return number<term::kKvOfSequences>(answers) / ways;
}

double cache_waste(const Given& in) {
  const auto server = make<Server>({{"blockTokens", in("block")}});
  return number<term::kKvWaste>(
      ask(chip_of(in), llama3_8b(),
          serving_of(in, {{"promptTokens", in("tokens") - 1}, {"answerTokens", 2}}), server));
}

double cache_use(const Given& in) {
  const auto server = make<Server>({{"blockTokens", in("blockTokens")}});
  const auto serving =
      make<Serving>({{"promptTokens", in("promptTokens")}, {"answerTokens", in("answerTokens")}});
  return 1 - number<term::kKvWaste>(ask(chip_of(in), llama3_8b(), serving, server));
}

auto draft(const Given& in) {
  Settings settings{{"draftTokens", in("draftTokens")}, {"acceptance", in("acceptance")}};
  if (in.has("draftCost")) settings.push_back({"draftCost", in("draftCost")});
  return without_cache(in, 1e11, settings, serving_chip(in));
}

double tokens_of_drafts(const Given& in) { return number<term::kTokensOfStep>(draft(in)); }
double draft_speedup(const Given& in) { return number<term::kDraftSpeedup>(draft(in)); }

BOOK_GOLDEN("decode-13b-mha-1-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-mha-1-memory", memory_of_load)
BOOK_GOLDEN("decode-13b-mha-1-step", decode_step)
BOOK_GOLDEN("decode-13b-mha-8-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-mha-8-memory", memory_of_load)
BOOK_GOLDEN("decode-13b-mha-8-step", decode_step)
BOOK_GOLDEN("decode-13b-mha-8-speed", decode_speed)
BOOK_GOLDEN("decode-13b-mha-16-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-mha-16-memory", memory_of_load)
BOOK_GOLDEN("decode-13b-mha-16-speed", decode_speed)
BOOK_GOLDEN("decode-13b-mha-32-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-mha-32-memory", memory_of_load)
BOOK_GOLDEN("decode-13b-mha-32-speed", decode_speed)
BOOK_GOLDEN("decode-13b-mha-64-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-mha-64-step", decode_step)
BOOK_GOLDEN("decode-13b-mha-64-speed", decode_speed)
BOOK_GOLDEN("decode-13b-mha-240-speed", decode_speed)
BOOK_GOLDEN("decode-13b-fifth-1-memory", memory_of_load)
BOOK_GOLDEN("decode-13b-fifth-1-step", decode_step)
BOOK_GOLDEN("decode-13b-fifth-8-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-fifth-8-memory", memory_of_load)
BOOK_GOLDEN("decode-13b-fifth-8-step", decode_step)
BOOK_GOLDEN("decode-13b-fifth-16-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-fifth-16-step", decode_step)
BOOK_GOLDEN("decode-13b-fifth-32-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-fifth-32-speed", decode_speed)
BOOK_GOLDEN("decode-13b-fifth-64-step", decode_step)
BOOK_GOLDEN("decode-13b-fifth-64-speed", decode_speed)
BOOK_GOLDEN("decode-13b-fifth-240-cache", cache_of_load)
BOOK_GOLDEN("decode-13b-fifth-240-memory", memory_of_load)
BOOK_GOLDEN("decode-13b-fifth-240-step", decode_step)
BOOK_GOLDEN("decode-critical-batch-v5e", critical_batch)
BOOK_GOLDEN("decode-critical-batch-v5e-int8", critical_batch)
BOOK_GOLDEN("decode-critical-batch-h100", critical_batch)
BOOK_GOLDEN("decode-attention-intensity", attention_intensity)
BOOK_GOLDEN("quiz-cache", cache_of_load)
BOOK_GOLDEN("quiz-step-4", decode_step)
BOOK_GOLDEN("llama-2-13b-vocabulary", vocabulary_parameters)
BOOK_GOLDEN("llama-2-13b-feed-forward", feed_forward_parameters)
BOOK_GOLDEN("llama-2-13b-weights", serving_weights)
BOOK_GOLDEN("llama-2-13b-training-states", model_states)
BOOK_GOLDEN("llama-2-13b-cache", cache_of_load)
BOOK_GOLDEN("llama-2-13b-caches-as-weights", weights_over_cache)
BOOK_GOLDEN("eight-v5e-memory", room_of_chips)
BOOK_GOLDEN("eight-v5e-bandwidth", read_rate)
BOOK_GOLDEN("v5e-compute-over-network", compute_over_network)
BOOK_GOLDEN("v5e-memory-over-network", memory_over_network)
BOOK_GOLDEN("decode-tensor-limit", decode_tensor_limit)
BOOK_GOLDEN("inference-quiz-parameters", parameters_without_norms)
BOOK_GOLDEN("inference-quiz-cache", cache_per_token)
BOOK_GOLDEN("inference-quiz-batch", most_sequences)
BOOK_GOLDEN("inference-quiz-batch-one-head", most_sequences)
BOOK_GOLDEN("inference-quiz-experts", expert_parameters)
BOOK_GOLDEN("inference-quiz-experts-growth", expert_growth)
BOOK_GOLDEN("inference-quiz-experts-critical-batch", expert_critical_batch)
BOOK_GOLDEN("inference-quiz-experts-flops", forward_flops_per_token)
BOOK_GOLDEN("inference-quiz-experts-load", weight_step)
BOOK_GOLDEN("inference-quiz-experts-chips", fewest_chips)
BOOK_GOLDEN("stationary-ways", stationary_ways)
BOOK_GOLDEN("stationary-chips", stationary_chips)
BOOK_GOLDEN("two-matmul-layer", feed_forward_parameters)
BOOK_GOLDEN("two-matmul-layer-latency", layer_step)
BOOK_GOLDEN("two-matmul-layer-latency-rounded", weight_step)
BOOK_GOLDEN("flops-per-dollar-v5p", flops_per_dollar)
BOOK_GOLDEN("flops-per-dollar-v5e", flops_per_dollar)
BOOK_GOLDEN("llama-3-70b-cache-int8", cache_per_token)
BOOK_GOLDEN("llama-3-70b-cache-240", cache_of_load)
BOOK_GOLDEN("llama-3-70b-chips-240", fewest_chips)
BOOK_GOLDEN("llama-3-70b-cache-32", cache_of_load)
BOOK_GOLDEN("llama-3-70b-memory-32", memory_of_load)
BOOK_GOLDEN("llama-3-70b-chips-32", fractional_chips)
BOOK_GOLDEN("llama-3-70b-step-32", weight_step)
BOOK_GOLDEN("llama-3-70b-speed-32", weight_speed)
BOOK_GOLDEN("llama-3-70b-speed-per-chip-32", weight_speed_per_chip)
BOOK_GOLDEN("llama-3-70b-step-32-16-chips", weight_step)
BOOK_GOLDEN("llama-3-70b-bf16-param", serving_weights)
BOOK_GOLDEN("llama-3-70b-bf16-chips", fractional_chips)
BOOK_GOLDEN("llama-3-70b-bf16-remaining", room_of_chips)
BOOK_GOLDEN("llama-3-70b-int8-param", serving_weights)
BOOK_GOLDEN("llama-3-70b-int8-chips", fractional_chips)
BOOK_GOLDEN("llama-3-70b-int8-slice", weight_slice)
BOOK_GOLDEN("llama-3-70b-int8-caches", most_sequences)
BOOK_GOLDEN("llama-3-70b-int4-remaining", room_of_chips)
BOOK_GOLDEN("llama-3-70b-int4-caches", most_sequences)
BOOK_GOLDEN("llama-3-70b-int4-cache", cache_per_token)
BOOK_GOLDEN("full-memory-step", full_memory_step)
BOOK_GOLDEN("queries-bf16", queries_per_chip)
BOOK_GOLDEN("queries-int4", queries_per_chip)
BOOK_GOLDEN("queries-twice-bf16", queries_per_chip)
BOOK_GOLDEN("queries-twice-int4", queries_per_chip)
BOOK_GOLDEN("llama-3-70b-bf16-32-chips-room", room_of_chips)
BOOK_GOLDEN("queries-of-all", queries)
BOOK_GOLDEN("llama-3-70b-tensor-limit", decode_tensor_limit)
BOOK_GOLDEN("matmul-32-ways-read", matmul_read)
BOOK_GOLDEN("matmul-32-ways-compute", matmul_compute)
BOOK_GOLDEN("prefill-8192", prefill_time_of)
BOOK_GOLDEN("tokens-released", released_tokens)
BOOK_GOLDEN("prefill-to-decode", prefill_balance)
BOOK_GOLDEN("prefill-to-decode-43", prefill_balance)
BOOK_GOLDEN("frontier-least-latency", decode_step)
BOOK_GOLDEN("frontier-largest-batch", most_sequences)
BOOK_GOLDEN("llama-3-405b-computing", compute_step)
BOOK_GOLDEN("llama-3-405b-reading", weight_step)
BOOK_GOLDEN("llama-3-8b-cache-240", cache_of_load)
BOOK_GOLDEN("llama-3-405b-cache-int8", cache_per_token)
BOOK_GOLDEN("llama-3-405b-chips", fewest_chips)
BOOK_GOLDEN("llama-3-405b-chips-15ms", chips_for_step)
BOOK_GOLDEN("llama-3-405b-step-64-chips", weight_step)
ENGINEERING_GOLDEN("awq-4096x4096-g128", awq_matrix)
ENGINEERING_GOLDEN("awq-4096x11008-g128", awq_matrix)
ENGINEERING_GOLDEN("awq-8192x28672-g128", awq_matrix)
ENGINEERING_GOLDEN("awq-4096x4096-g64", awq_matrix)
ENGINEERING_GOLDEN("awq-4096x4096-g32", awq_matrix)
ENGINEERING_GOLDEN("awq-14336x4096-g128", awq_matrix)
ENGINEERING_GOLDEN("paged-waste-1000", cache_waste)
ENGINEERING_GOLDEN("paged-waste-100", cache_waste)
ENGINEERING_GOLDEN("speculation-tokens-0.8-4", tokens_of_drafts)
ENGINEERING_GOLDEN("speculation-speedup-0.8-4-0.05", draft_speedup)
ENGINEERING_GOLDEN("speculation-tokens-0.7-5", tokens_of_drafts)
ENGINEERING_GOLDEN("speculation-tokens-0.9-8", tokens_of_drafts)
ENGINEERING_GOLDEN("speculation-speedup-0.9-8-0.02", draft_speedup)
ENGINEERING_GOLDEN("speculation-tokens-0.5-3", tokens_of_drafts)
ENGINEERING_GOLDEN("kv-per-token-deepseek-v3-scaled-8", latent_cache_per_token)
ENGINEERING_GOLDEN("kv-page16-llama-3-70b-scaled-8", scaled_cache_block)
ENGINEERING_GOLDEN("kv-page16-llama-3-70b-nvfp4", fp4_cache_block)
ENGINEERING_GOLDEN("mxfp4-bytes", mxfp4_bytes)
ENGINEERING_GOLDEN("quiz-step-256-first-edition", decode_step)
ENGINEERING_GOLDEN("cache-llama-2-7b-544", cache_on_chip)
ENGINEERING_GOLDEN("cache-llama-2-7b-544-32", cache_on_chip)
ENGINEERING_GOLDEN("cache-llama-3-8b-2176", cache_on_chip)
ENGINEERING_GOLDEN("cache-llama-2-70b-1152-8-ways", cache_on_chip)
ENGINEERING_GOLDEN("cache-llama-2-7b-8192", cache_on_chip)
ENGINEERING_GOLDEN("cache-llama-2-70b-2048", cache_on_chip)
ENGINEERING_GOLDEN("cache-llama-2-70b-8192", cache_on_chip)
ENGINEERING_GOLDEN("cache-llama-3-8b-2048", cache_on_chip)
ENGINEERING_GOLDEN("cache-llama-3-8b-8192", cache_on_chip)
ENGINEERING_GOLDEN("cache-gpt-3-175b-2048", cache_on_chip)
ENGINEERING_GOLDEN("cache-gpt-3-175b-8192", cache_on_chip)
ENGINEERING_GOLDEN("cache-gpt-neox-20b-2048", cache_on_chip)
ENGINEERING_GOLDEN("cache-gpt-neox-20b-8192", cache_on_chip)
ENGINEERING_GOLDEN("cache-mixtral-8x7b-2048", cache_on_chip)
ENGINEERING_GOLDEN("paged-use-vllm", cache_use)
ENGINEERING_GOLDEN("weights-llama-2-7b", weights_of_preset)
ENGINEERING_GOLDEN("weights-llama-3-8b", weights_of_preset)

}  // namespace
}  // namespace scaling::test::golden_serving_test
