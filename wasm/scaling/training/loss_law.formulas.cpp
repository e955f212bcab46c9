// SPDX-License-Identifier: MIT
#include "scaling/training/loss_law.hpp"

namespace scaling {
namespace {

struct Fit {
  double floor, of_parameters, of_tokens, alpha, beta;
};

/// In the order of LossFit.
constexpr Fit kFits[] = {
    {1.8172, 482.01, 2085.43, 0.3478, 0.3658},  // arXiv:2404.10102, equation 2
    {1.69, 406.4, 410.7, 0.34, 0.28},           // arXiv:2203.15556, equation 10
    {1.87, 521, 1488, 0.353, 0.353},            // arXiv:2305.16264, appendix A
};

/// Repetitions after which the value of further ones has fallen to 1/e: arXiv:2305.16264,
/// section 6.
constexpr double kTokensFade = 15.39;
constexpr double kParametersFade = 5.31;

/// `amount` beyond `base` counts less and less: base (1 + fade (1 - e^(-R/fade))), R the excess in
/// units of `base`.
template <const Term& kExcess, Dimension D, class R>
Quantity<D, R> fading(Quantity<D, R> amount, Quantity<D, R> base, double fade) {
  if (!(amount.value() > base.value())) return amount;
  const auto one = scalar<R>(1);
  const auto excess = named<kExcess>(as<kOne>((amount - base) / base));
  const auto decay = scalar<R>(fade);
  return base * (one + decay * (one - one / (one + exp_minus_one(excess / decay))));
}

}  // namespace

template <class R>
LossLaw<R> loss_law(LossFit fit) {
  const Fit& of = kFits[static_cast<std::size_t>(fit)];
  return {named<term::kLossFloor>(scalar<R>(of.floor)),
          named<term::kLossOfParameters>(scalar<R>(of.of_parameters)),
          named<term::kLossOfTokens>(scalar<R>(of.of_tokens)),
          named<term::kParametersExponent>(scalar<R>(of.alpha)),
          named<term::kTokensExponent>(scalar<R>(of.beta))};
}

template <class R>
Count<R> LossLaw<R>::loss(Quantity<kParam, R> parameters, Quantity<kToken, R> tokens) const {
  return floor + of_parameters / power(as<kOne>(parameters), alpha) +
         of_tokens / power(as<kOne>(tokens), beta);
}

template <class R>
Quantity<kParam, R> LossLaw<R>::optimal_parameters(Quantity<kFlop, R> flops) const {
  const auto pairs = as<kOne>(flops) / scalar<R>(6);
  const auto balance = alpha * of_parameters / (beta * of_tokens) * power(pairs, beta);
  return as<kParam>(power(max(balance, scalar<R>(1)), scalar<R>(1) / (alpha + beta)));
}

template <class R>
Quantity<kParam, R> LossLaw<R>::parameters_for(Quantity<kToken, R> tokens) const {
  const auto balance = alpha * of_parameters / (beta * of_tokens) * power(as<kOne>(tokens), beta);
  return as<kParam>(power(max(balance, scalar<R>(1)), scalar<R>(1) / alpha));
}

template <class R>
Quantity<kToken, R> LossLaw<R>::tokens_for(Count<R> loss, Quantity<kParam, R> parameters) const {
  const auto rest = loss - floor - of_parameters / power(as<kOne>(parameters), alpha);
  return as<kToken>(power(max(of_tokens / rest, scalar<R>(1)), scalar<R>(1) / beta));
}

template <class R>
Quantity<kFlop, R> LossLaw<R>::flops_for(Count<R> loss, Quantity<kFlop, R> known,
                                         Count<R> known_loss) const {
  const auto share = max((loss - floor) / (known_loss - floor), scalar<R>(1));
  return known / power(share, (alpha + beta) / (alpha * beta));
}

template <class R>
Quantity<kToken, R> useful_tokens(Quantity<kToken, R> tokens, Quantity<kToken, R> unique) {
  return named<term::kUsefulTokens>(fading<term::kRepeatedTokens>(tokens, unique, kTokensFade));
}

template <class R>
Quantity<kParam, R> useful_parameters(Quantity<kParam, R> parameters, Quantity<kParam, R> best) {
  return named<term::kUsefulParameters>(
      fading<term::kExcessParameters>(parameters, best, kParametersFade));
}

template struct LossLaw<SCALING_REP>;
template LossLaw<SCALING_REP> loss_law(LossFit);
template Quantity<kToken, SCALING_REP> useful_tokens(Quantity<kToken, SCALING_REP>,
                                                     Quantity<kToken, SCALING_REP>);
template Quantity<kParam, SCALING_REP> useful_parameters(Quantity<kParam, SCALING_REP>,
                                                         Quantity<kParam, SCALING_REP>);

}  // namespace scaling
