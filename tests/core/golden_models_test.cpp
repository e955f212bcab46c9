// SPDX-License-Identifier: MIT
//
// Parameters and FLOPs of models, as papers and repositories of LLM engineering count them, and the
// MFU that follows. The goldens' notes say how these differ.

#include "golden.hpp"

namespace scaling::test::golden_models_test {
namespace {

// --- parameters ---

const Settings kNoBiases{{"qkvBias", false},
                         {"attentionOutputBias", false},
                         {"feedForwardBias", false},
                         {"learnedPositions", 0}};

double without_router(const Raw<Model>& model) {
  const auto parameters = count_parameters(typed(model));
  return (parameters.total - parameters.router).value();
}

double all_parameters(const Given& in) { return parameters_of(in).total.value(); }

double active_parameters(const Given& in) { return parameters_of(in).active.value(); }

double megatron_parameters(const Given& in) {
  return without_router(with(model_of(in), kNoBiases));
}

/// Another layer in place of the module.
double megatron_parameters_with_mtp(const Given& in) {
  const auto model = model_of(in);
  return without_router(with(model, {{"layers", model.values[index_of<Model>("layers")] + 1}}));
}

/// Published with embedding and LM head a second time.
double parameters_with_mtp(const Given& in) {
  const auto parameters = parameters_of(in);
  return (parameters.total + parameters.mtp + parameters.vocabulary).value();
}

double parameters_with_one_embedding(const Given& in) {
  const auto model = with(model_of(in), {{"tiedEmbeddings", true}, {"norm", Norm::kRmsNorm}});
  return count_parameters(typed(with(model, kNoBiases))).total.value();
}

double bridge_parameters(const Given& in) {
  return without_router(with(model_of(in), {{"norm", Norm::kLayerNorm}, {"scoreBias", false}}));
}

// --- FLOPs ---

double tokens_of(const Given& in) {
  return in.has("tokens") ? in("tokens") : in("sequences") * in("sequenceLength");
}

/// The forward pass of a token.
TokenFlops<double> token_flops(const Given& in, const Raw<Model>& model,
                               const Settings& conventions = {}) {
  const auto run = with(run_of(in), {{"attentionMask", AttentionMask::kFull}});
  return count_token_flops(typed(model), count_parameters(typed(model)),
                           typed(with(run, conventions)));
}

double forward_flops_per_token(const Given& in) {
  return token_flops(in, model_of(in)).exact.value();
}

double flops_per_token(const Given& in) { return 3 * forward_flops_per_token(in); }

double forward_flops(const Given& in) { return tokens_of(in) * forward_flops_per_token(in); }

double flops(const Given& in) { return 3 * forward_flops(in); }

const Settings kCausal{{"attentionMask", AttentionMask::kCausal}};

double causal_flops_per_token(const Given& in, const Raw<Model>& model) {
  return 3 * token_flops(in, model, kCausal).exact.value();
}
double causal_flops_per_token(const Given& in) { return causal_flops_per_token(in, model_of(in)); }

double causal_flops(const Given& in) { return tokens_of(in) * causal_flops_per_token(in); }

/// The router is a matmul like others: 6 FLOPs for each of its weights.
double without_router_flops(const Given& in, const Raw<Model>& model) {
  const auto weights = count_parameters(typed(with(model, {{"scoreBias", false}}))).router;
  return causal_flops_per_token(in, model) - 6 * weights.value();
}

double flops_without_router(const Given& in) {
  return tokens_of(in) * without_router_flops(in, model_of(in));
}

/// One more layer, and as many FLOPs for the projection of two hidden states to one, three norms
/// and the LM head once more as for other weights.
double flops_with_mtp(const Given& in) {
  const auto model = model_of(in);
  const auto sizes = typed(model);
  const auto layers = sizes.layers + sizes.mtp_modules;
  const auto others = (2.0 * sizes.hidden + sizes.vocabulary) * sizes.hidden + 3.0 * sizes.hidden;
  return tokens_of(in) *
         (without_router_flops(in, with(model, {{"layers", layers.value()}})) + 6 * others.value());
}

/// Layers computed a second time, the LM head not.
double flops_with_recompute(const Given& in) {
  const double again = token_flops(in, model_of(in), {{"countLmHead", false}}).exact.value();
  return tokens_of(in) * (flops_per_token(in) + again);
}

double score_flops(const Given& in) {
  const double attention = token_flops(in, model_of(in)).attention.value();
  return in("passes") * tokens_of(in) * attention / 2;
}

/// 6 for each parameter, and attention.
double palm_flops_per_token(const Given& in) {
  return number<term::kSixNFlopsPerToken>(train(in)) +
         3 * token_flops(in, model_of(in)).attention.value();
}

double palm_flops(const Given& in) { return tokens_of(in) * palm_flops_per_token(in); }

// --- time and MFU ---

/// The time in which `chips` do `flops` at `rate` each.
double seconds_for(double flops, double chips, double rate) {
  const double any = 1e21;
  const Given run({{"flops", any}, {"chips", chips}, {"peak", rate}});
  return flops / any * training_time(run);
}

double utilisation(const Given& in, double flops) {
  return seconds_for(flops, in("chips"), in("peak")) / in("seconds");
}

double mfu(const Given& in) { return utilisation(in, flops(in)); }

double palm_mfu(const Given& in) { return utilisation(in, palm_flops(in)); }

/// One more forward pass of attention alone.
double hfu_of_selective_recompute(const Given& in) {
  const double again = tokens_of(in) * token_flops(in, model_of(in)).attention.value();
  return utilisation(in, flops(in) + again);
}

/// The MFU of so many tokens a second.
double foundry_mfu(const Given& in) {
  return seconds_for(in("tokenRate") * palm_flops_per_token(in), 1, in("peak"));
}

/// The forward pass a second time.
double foundry_hfu(const Given& in) { return foundry_mfu(in) * 4 / 3; }

double rate_with_recompute(const Given& in) {
  return tokens_of(in) * number<term::kRematFlopsPerToken>(train(in)) / in("seconds") / in("chips");
}

double time_with_recompute(const Given& in) {
  return seconds_for(flops_with_recompute(in), in("chips"), in("rate"));
}

double time_of_parameters_with_recompute(const Given& in) {
  return seconds_for(tokens_of(in) * number<term::kRematFlopsPerToken>(train(in)), in("chips"),
                     in("rate"));
}

double rate_of_all(const Given& in) { return 1e15 / seconds_for(1e15, in("chips"), in("rate")); }

ENGINEERING_GOLDEN("megatron-parameters-gpt-22b", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-gpt-3-175b", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-megatron-530b", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-megatron-1t", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-gpt-neox-20b", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-llama-2-7b", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-llama-2-13b", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-llama-3.1-405b", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-deepseek-v3", megatron_parameters)
ENGINEERING_GOLDEN("megatron-parameters-deepseek-v3-mtp", megatron_parameters_with_mtp)
ENGINEERING_GOLDEN("checkpoint-parameters-llama-2-7b", all_parameters)
ENGINEERING_GOLDEN("checkpoint-parameters-llama-2-70b", all_parameters)
ENGINEERING_GOLDEN("checkpoint-parameters-llama-3-8b", all_parameters)
ENGINEERING_GOLDEN("checkpoint-parameters-llama-3-70b", all_parameters)
ENGINEERING_GOLDEN("checkpoint-parameters-llama-3.1-405b", all_parameters)
ENGINEERING_GOLDEN("active-parameters-mixtral-8x7b", active_parameters)
ENGINEERING_GOLDEN("checkpoint-parameters-gpt-neox-20b", all_parameters)
ENGINEERING_GOLDEN("checkpoint-parameters-deepseek-v3", all_parameters)
ENGINEERING_GOLDEN("checkpoint-parameters-deepseek-v3-mtp", parameters_with_mtp)
ENGINEERING_GOLDEN("cookbook-parameters-12288", all_parameters)
ENGINEERING_GOLDEN("cookbook-parameters-6144", all_parameters)
ENGINEERING_GOLDEN("cookbook-parameters-4096", all_parameters)
ENGINEERING_GOLDEN("cookbook-parameters-8192", all_parameters)
ENGINEERING_GOLDEN("llm-analysis-parameters-llama-2-7b", parameters_with_one_embedding)
ENGINEERING_GOLDEN("llm-analysis-parameters-gpt-neox-20b", parameters_with_one_embedding)
ENGINEERING_GOLDEN("llm-analysis-parameters-mixtral-8x7b", parameters_with_one_embedding)
ENGINEERING_GOLDEN("bridge-parameters-llama-3-8b", bridge_parameters)
ENGINEERING_GOLDEN("bridge-parameters-llama-3-70b", bridge_parameters)
ENGINEERING_GOLDEN("bridge-parameters-mixtral-8x7b", bridge_parameters)
ENGINEERING_GOLDEN("bridge-parameters-deepseek-v3", bridge_parameters)
ENGINEERING_GOLDEN("nanogpt-parameters", all_parameters)
ENGINEERING_GOLDEN("sc21-parameters-1.7b", parameters_without_last_norm)
ENGINEERING_GOLDEN("sc21-parameters-39.1b", parameters_without_last_norm)
ENGINEERING_GOLDEN("sc21-parameters-76.1b", parameters_without_last_norm)
ENGINEERING_GOLDEN("sc21-parameters-145.6b", parameters_without_last_norm)
ENGINEERING_GOLDEN("sc21-parameters-310.1b", parameters_without_last_norm)

ENGINEERING_GOLDEN("megatron-flops-gpt-22b", causal_flops)
ENGINEERING_GOLDEN("megatron-flops-gpt-3-175b", causal_flops)
ENGINEERING_GOLDEN("megatron-flops-gpt-neox-20b", causal_flops)
ENGINEERING_GOLDEN("megatron-flops-llama-2-7b", causal_flops)
ENGINEERING_GOLDEN("megatron-flops-llama-2-70b", causal_flops)
ENGINEERING_GOLDEN("megatron-flops-llama-3-70b", causal_flops)
ENGINEERING_GOLDEN("megatron-flops-llama-3.1-405b", causal_flops)
ENGINEERING_GOLDEN("megatron-flops-deepseek-v3", flops_without_router)
ENGINEERING_GOLDEN("megatron-flops-deepseek-v3-mtp", flops_with_mtp)
ENGINEERING_GOLDEN("maxtext-flops-llama-2-7b", causal_flops_per_token)
ENGINEERING_GOLDEN("maxtext-flops-llama-3.1-405b", causal_flops_per_token)
ENGINEERING_GOLDEN("torchtitan-flops-llama-3-70b", flops_per_token)
ENGINEERING_GOLDEN("levanter-flops-llama-2-7b", forward_flops_per_token)
ENGINEERING_GOLDEN("levanter-flops-llama-3-8b", forward_flops_per_token)
ENGINEERING_GOLDEN("llm-analysis-flops-llama-2-7b", forward_flops)
ENGINEERING_GOLDEN("llm-analysis-flops-llama-2-70b", forward_flops)
ENGINEERING_GOLDEN("llm-analysis-flops-gpt-3-175b", forward_flops)
ENGINEERING_GOLDEN("llm-analysis-flops-gpt-neox-20b", forward_flops)
ENGINEERING_GOLDEN("llm-analysis-flops-mixtral-8x7b", forward_flops)
ENGINEERING_GOLDEN("nanogpt-flops", forward_flops)
ENGINEERING_GOLDEN("nanogpt-palm-flops", palm_flops)
ENGINEERING_GOLDEN("nanogpt-mfu", palm_mfu)
ENGINEERING_GOLDEN("foundry-mfu-70b-s2048-512", foundry_mfu)
ENGINEERING_GOLDEN("foundry-hfu-70b-s2048-512", foundry_hfu)
ENGINEERING_GOLDEN("foundry-mfu-70b-s2048-128", foundry_mfu)
ENGINEERING_GOLDEN("foundry-hfu-70b-s2048-128", foundry_hfu)
ENGINEERING_GOLDEN("foundry-mfu-30b-s2048-256", foundry_mfu)
ENGINEERING_GOLDEN("foundry-mfu-13b-s2048-128", foundry_mfu)
ENGINEERING_GOLDEN("foundry-hfu-13b-s2048-128", foundry_hfu)
ENGINEERING_GOLDEN("foundry-mfu-1b-s2048-128", foundry_mfu)
ENGINEERING_GOLDEN("foundry-hfu-7b-s65536-8", foundry_hfu)
ENGINEERING_GOLDEN("foundry-mfu-13b-s32768-8", foundry_mfu)
ENGINEERING_GOLDEN("mle-rate", rate_with_recompute)
ENGINEERING_GOLDEN("sc21-flops-1.7b", flops_with_recompute)
ENGINEERING_GOLDEN("sc21-step-1.7b", time_with_recompute)
ENGINEERING_GOLDEN("sc21-flops-3.6b", flops_with_recompute)
ENGINEERING_GOLDEN("sc21-rate-3.6b", rate_of_all)
ENGINEERING_GOLDEN("sc21-flops-7.5b", flops_with_recompute)
ENGINEERING_GOLDEN("sc21-step-7.5b", time_with_recompute)
ENGINEERING_GOLDEN("sc21-rate-7.5b", rate_of_all)
ENGINEERING_GOLDEN("sc21-flops-18.4b", flops_with_recompute)
ENGINEERING_GOLDEN("sc21-step-18.4b", time_with_recompute)
ENGINEERING_GOLDEN("sc21-rate-18.4b", rate_of_all)
ENGINEERING_GOLDEN("sc21-flops-39.1b", flops_with_recompute)
ENGINEERING_GOLDEN("sc21-rate-39.1b", rate_of_all)
ENGINEERING_GOLDEN("sc21-step-76.1b", time_with_recompute)
ENGINEERING_GOLDEN("sc21-rate-76.1b", rate_of_all)
ENGINEERING_GOLDEN("sc21-flops-145.6b", flops_with_recompute)
ENGINEERING_GOLDEN("sc21-step-145.6b", time_with_recompute)
ENGINEERING_GOLDEN("sc21-flops-310.1b", flops_with_recompute)
ENGINEERING_GOLDEN("sc21-step-310.1b", time_with_recompute)
ENGINEERING_GOLDEN("sc21-rate-310.1b", rate_of_all)
ENGINEERING_GOLDEN("sc21-flops-529.6b", flops_with_recompute)
ENGINEERING_GOLDEN("sc21-step-529.6b", time_with_recompute)
ENGINEERING_GOLDEN("sc21-rate-529.6b", rate_of_all)
ENGINEERING_GOLDEN("opt-175b-flops", flops_with_recompute)
ENGINEERING_GOLDEN("cookbook-flops-12288", flops_with_recompute)
ENGINEERING_GOLDEN("cookbook-flops-6144", flops)
ENGINEERING_GOLDEN("cookbook-flops-4096", flops)
ENGINEERING_GOLDEN("cookbook-forward-flops", forward_flops_per_token)
ENGINEERING_GOLDEN("cookbook-score-flops-4", score_flops)
ENGINEERING_GOLDEN("cookbook-score-flops-3", score_flops)
ENGINEERING_GOLDEN("cookbook-score-flops-1", score_flops)
ENGINEERING_GOLDEN("korthikanti-mfu-22b", mfu)
ENGINEERING_GOLDEN("korthikanti-mfu-175b", mfu)
ENGINEERING_GOLDEN("korthikanti-hfu-175b", hfu_of_selective_recompute)
ENGINEERING_GOLDEN("korthikanti-mfu-530b", mfu)
ENGINEERING_GOLDEN("korthikanti-hfu-530b", hfu_of_selective_recompute)
ENGINEERING_GOLDEN("korthikanti-mfu-1t", mfu)
ENGINEERING_GOLDEN("korthikanti-hfu-1t", hfu_of_selective_recompute)
ENGINEERING_GOLDEN("sc21-days-gpt-3", time_of_parameters_with_recompute)
ENGINEERING_GOLDEN("sc21-days-174.6b-768", time_with_recompute)
ENGINEERING_GOLDEN("sc21-days-174.6b-1536", time_with_recompute)
ENGINEERING_GOLDEN("sc21-days-529.6b-640", time_with_recompute)
ENGINEERING_GOLDEN("sc21-days-529.6b-1120", time_with_recompute)
ENGINEERING_GOLDEN("sc21-days-174.6b-384", time_with_recompute)

}  // namespace
}  // namespace scaling::test::golden_models_test
