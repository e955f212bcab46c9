// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/quantity/term.hpp"

namespace scaling {

/// A published fit of the loss of dense transformers to their parameters and tokens.
enum class LossFit : std::uint8_t {
  kBesiroglu,    ///< the replication of Hoffmann et al.'s third approach
  kHoffmann,     ///< as it was published, with rounded constants
  kMuennighoff,  ///< of trainings on C4, whose tokens were repeated
};
inline constexpr const char* kLossFitNames[] = {"besiroglu", "hoffmann", "muennighoff"};

namespace term {

inline constexpr Term kLossFloor{"lossFloor", "E", kOne, "scaling-laws"};
inline constexpr Term kLossOfParameters{"lossOfParameters", "A", kOne, "scaling-laws"};
inline constexpr Term kLossOfTokens{"lossOfTokens", "B", kOne, "scaling-laws"};
inline constexpr Term kParametersExponent{"parametersExponent", "alpha", kOne, "scaling-laws"};
inline constexpr Term kTokensExponent{"tokensExponent", "beta", kOne, "scaling-laws"};
inline constexpr Term kRepeatedTokens{"repeatedTokens", "R_D", kOne, "scaling-laws"};
inline constexpr Term kExcessParameters{"excessParameters", "R_N", kOne, "scaling-laws"};
inline constexpr Term kUsefulTokens{"usefulTokens", "n_useful", kToken, "scaling-laws"};
inline constexpr Term kUsefulParameters{"usefulParameters", "P_useful", kParam, "scaling-laws"};

}  // namespace term

/// L(P, n) = E + A/P^alpha + B/n^beta [nats a token]: Hoffmann et al. 2022 (arXiv:2203.15556),
/// equation 10, with the constants of one fit. Fits are of trainings of 4e7 to 2e10 parameters on
/// tokens of their own corpus and tokenizer: losses compare within one fit, and promise no quality.
template <class R>
struct LossLaw {
  Count<R> floor, of_parameters, of_tokens, alpha, beta;

  /// The loss of so many parameters and tokens, each at least 1.
  Count<R> loss(Quantity<kParam, R> parameters, Quantity<kToken, R> tokens) const;

  /// The parameters of the least loss at C = 6 P n: where P^(alpha + beta) = alpha A / (beta B)
  /// (C/6)^beta.
  Quantity<kParam, R> optimal_parameters(Quantity<kFlop, R> flops) const;

  /// The parameters that are best for so many tokens.
  Quantity<kParam, R> parameters_for(Quantity<kToken, R> tokens) const;

  /// The tokens with which so many parameters reach a loss.
  Quantity<kToken, R> tokens_for(Count<R> loss, Quantity<kParam, R> parameters) const;

  /// The FLOPs whose best training has this loss, which must be above the floor: L - E is
  /// proportional to C^-(alpha beta / (alpha + beta)).
  Quantity<kFlop, R> flops_for(Count<R> loss, Quantity<kFlop, R> known, Count<R> known_loss) const;
};

template <class R>
LossLaw<R> loss_law(LossFit fit);

/// What `tokens` are worth where only `unique` of them differ, at most `tokens`: each repetition is
/// worth less by e^(-1/15.39). Source: Muennighoff et al. 2023 (arXiv:2305.16264), equation 5.
template <class R>
Quantity<kToken, R> useful_tokens(Quantity<kToken, R> tokens, Quantity<kToken, R> unique);

/// The same of parameters beyond the `best` for the tokens that differ: by e^(-1/5.31).
template <class R>
Quantity<kParam, R> useful_parameters(Quantity<kParam, R> parameters, Quantity<kParam, R> best);

/// The parameters, no more than `most`, with which a training to the loss of `most` and `tokens`
/// and 2 P FLOPs for each of `served` tokens take the fewest FLOPs. Source: Sardana et al. 2024
/// (arXiv:2401.00448).
double parameters_for_life(LossFit fit, double most, double tokens, double served);

}  // namespace scaling
