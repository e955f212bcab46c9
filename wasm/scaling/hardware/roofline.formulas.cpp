// SPDX-License-Identifier: MIT
#include "scaling/hardware/roofline.hpp"

namespace scaling {

template <class R>
Roofline<R> price(std::span<const Operation<R>> operations, const Rates<R>& rates,
                  const NetworkUse<R>& network) {
  Roofline<R> result;
  const bool several = operations.size() > 1;
  bool all_on_vector_units = !operations.empty();
  // Several kernels take the sum of their times: by computing, and by moving.
  Quantity<kSecond, R> lower{}, computing{}, moving{};
  for (const Operation<R>& operation : operations) {
    all_on_vector_units = all_on_vector_units && operation.on_vector_units;
    const auto& rate = operation.on_vector_units ? rates.vector.value : rates.matrix;
    const auto bytes = operation.memory_bytes();
    // An operation that computes nothing needs no rate: the chip may list none. The vector units'
    // operations are the small part of several; if their rate is not listed, they take the time of
    // their memory traffic.
    const bool timed =
        operation.flops.value() > 0 && (!operation.on_vector_units || rates.vector.present());
    const auto math = timed ? operation.flops / of_one_chip(rate) : Quantity<kSecond, R>{};
    result.flops = result.flops + operation.flops;
    result.memory_bytes = result.memory_bytes + bytes;
    result.math_time = result.math_time + math;
    if (!several) continue;
    const auto memory = bytes / of_one_chip(rates.memory);
    const auto time = max(math, memory);
    lower = lower + time;
    auto& share = math < memory ? moving : computing;
    share = share + time;
  }
  const auto peak = result.rate = all_on_vector_units ? rates.vector.value : rates.matrix;
  const auto flops = result.flops = named<term::kFlops>(result.flops);
  const auto bytes = result.memory_bytes = named<term::kMemoryBytes>(result.memory_bytes);
  const auto math_time = result.math_time = named<term::kMathTime>(
      several || flops.value() <= 0 ? result.math_time : flops / of_one_chip(peak));
  const auto memory_time = result.memory_time =
      named<term::kMemoryTime>(bytes / of_one_chip(rates.memory));
  result.intensity = named<term::kIntensity>(flops / bytes);
  result.critical_intensity =
      named<term::kCriticalIntensity>(critical_intensity(peak, rates.memory));

  const auto sent =
      when_present([](auto b) { return named<term::kNetworkBytes>(b); }, network.bytes);
  const auto network_time =
      when_present([](auto t) { return named<term::kNetworkTime>(t); }, network.time);
  result.network_intensity =
      when_present([&](auto b) { return named<term::kNetworkIntensity>(flops / b); }, sent);
  result.critical_network_intensity = when_present(
      [&](auto b, auto t) {
        return named<term::kCriticalNetworkIntensity>(of_one_chip(peak) * t / b);
      },
      sent, network_time);

  if (network_time.absence == Absence::kNotApplicable) {
    result.communication_time = named<term::kCommunicationTime>(memory_time);
  } else {
    result.communication_time = when_present(
        [&](auto t) { return named<term::kCommunicationTime>(max(memory_time, t)); }, network_time);
  }
  result.lower = when_present(
      [&](auto t) {
        if (!several) return named<term::kLowerBound>(max(math_time, t));
        return named<term::kLowerBound>(network_time.present() ? max(lower, network_time.value)
                                                               : lower);
      },
      result.communication_time);
  result.upper = when_present([&](auto t) { return named<term::kUpperBound>(math_time + t); },
                              result.communication_time);
  result.achieved =
      when_present([&](auto t) { return named<term::kAchievedFlops>(flops / t); }, result.lower);
  result.fraction_of_peak = when_present(
      [&](auto t) { return named<term::kFractionOfPeak>(math_time / t); }, result.lower);

  result.bound = several ? choose_if_below(computing, moving, Bound::kMemory)
                         : choose_if_below(math_time, memory_time, Bound::kMemory);
  if (network_time.present()) {
    const auto local = several ? lower : max(math_time, memory_time);
    result.bound = max(result.bound, choose_if_below(local, network_time.value, Bound::kNetwork));
  }
  return result;
}

template <class R>
Maybe<Quantity<kToken, R>> exact_critical_batch(Count<R> contraction, Count<R> output,
                                                PeakRate<R> peak, Bandwidth<R> memory,
                                                Format activation_format, Format weight_format,
                                                Format output_format) {
  const auto weight_time = bytes_of<R>(weight_format) * contraction * output / of_one_chip(memory);
  const auto math_time_per_row = constant<kFlop, R>(2) * contraction * output / of_one_chip(peak);
  const auto memory_time_per_row =
      (bytes_of<R>(activation_format) * contraction + bytes_of<R>(output_format) * output) /
      of_one_chip(memory);
  if (math_time_per_row <= memory_time_per_row) return Absence::kNever;
  return as<kToken>(weight_time / (math_time_per_row - memory_time_per_row));
}

template <class R>
Count<R> critical_contraction(Count<R> contraction, Quantity<kSecond, R> math_time,
                              Quantity<kSecond, R> network_time) {
  return contraction * (network_time / math_time);
}

template Roofline<SCALING_REP> price(std::span<const Operation<SCALING_REP>>,
                                     const Rates<SCALING_REP>&, const NetworkUse<SCALING_REP>&);
template Maybe<Quantity<kToken, SCALING_REP>> exact_critical_batch(Count<SCALING_REP>,
                                                                   Count<SCALING_REP>,
                                                                   PeakRate<SCALING_REP>,
                                                                   Bandwidth<SCALING_REP>, Format,
                                                                   Format, Format);
template Count<SCALING_REP> critical_contraction(Count<SCALING_REP>, Quantity<kSecond, SCALING_REP>,
                                                 Quantity<kSecond, SCALING_REP>);

}  // namespace scaling
