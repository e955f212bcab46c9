// SPDX-License-Identifier: MIT
#include "scaling/training/kernel_prices.hpp"

#include <cmath>
#include <type_traits>

#include "scaling/hardware/attention_time.hpp"
#include "scaling/training/matmul_times.hpp"
#include "scaling/training/tuning.hpp"

namespace scaling {
namespace {

/// Bytes that unpacking int4 reads and writes in tensors of one byte a number. They count twice, as
/// PyTorch's kernels take four numbers a thread whatever their width. Source:
/// aten/src/ATen/native/cuda/MemoryAccess.cuh, can_vectorize_up_to.
constexpr double kNarrowBytes = 6;

bool misaligned(double width) { return std::fmod(width, 64) > 0.5; }

Format operand_format(KernelFormat format) {
  switch (format) {
    case KernelFormat::kBf16:
      return Format::kBf16;
    case KernelFormat::kFp8:
    case KernelFormat::kFp8Block:
      return Format::kFp8;
    case KernelFormat::kFp4:
      break;
  }
  return Format::kFp4;
}

template <class R>
Count<R> to_three_quarters(Count<R> ratio) {
  const auto root = sqrt(ratio);
  return root * sqrt(root);
}

/// Rates of all kernels over those of the measured chips, as a chip with more power than these runs
/// at higher clocks: the ratio to the power of 3/4. Less power slows the matrix units alone, which
/// take most of it; see `powered`.
template <class R>
Count<R> clocks_of(const StepInput<R>& in) {
  const TrainingRates& of = in.generation();
  const auto& power = in.chip.power;
  if (of.watts <= 0 || !power.present()) return one<R>();
  const auto usual = constant<kWatt, R>(of.watts);
  if (!(of_one_chip(power.value) > usual)) return one<R>();
  return min(to_three_quarters(of_one_chip(power.value) / usual),
             scalar<R>(in.constants.power_limit));
}

/// `chip` with the peaks of 16 bits and of `format` that its power allows at `clocks`: over those
/// of a chip with as much power for its peak as the generation's had, as that ratio to the power of
/// 3/4, until matmuls run at their peak and no throttle of the generation is left. So a higher peak
/// is never slower: four times as high, it reaches 4^(1/4) times as much. L20, which has a third of
/// L40S' rate, reaches 0.88 to 0.96 of its peak by cuBLAS; L40S, with 0.42 of L20's power for its
/// peak, 0.54, which its kernels' efficiency and throttle come to. Source:
/// DefTruth/CUDA-Learn-Notes, hgemm.
template <class R>
KernelChip<R> powered(const StepInput<R>& in, KernelFormat format, Count<R> clocks,
                      KernelChip<R> chip) {
  const TrainingRates& of = in.generation();
  const auto& power = in.chip.power;
  if (of.power <= 0 || !power.present() || !(power.value.value() > 0)) return chip;
  const auto limit = [&](KernelFormat of_format) {
    auto& peak = chip.peak[static_cast<std::size_t>(of_format)];
    const auto usual = constant<kWatt / (kFlop / kSecond), R>(of.power) /
                       scalar<R>(of.peak_over_sixteen(of_format));
    const auto share = to_three_quarters(of_one_chip(power.value) / peak / usual);
    const auto& rates = in.kernels.matmul[static_cast<std::size_t>(of_format)];
    const auto most = (one<R>() + scalar<R>(rates.throttle)) / scalar<R>(rates.efficiency);
    peak = min(share, most) / clocks * peak;
  };
  limit(KernelFormat::kBf16);
  if (format != KernelFormat::kBf16) limit(format);
  return chip;
}

}  // namespace

template <class R>
TrainingPrices<R>::TrainingPrices(const StepInput<R>& in, WorkOf of)
    : in_(in),
      of_(in.generation()),
      work_of_(in.measured() ? of : WorkOf::kAll),
      weights_(in.matmul_format()),
      format_(kernel_format(weights_)) {
  work_.by = kernel_degrees(in.layout, expert_imbalance(in.layout, in.assumptions));
  work_.batch.tokens = work_.batch.logits = as<kOne>(micro_batch_tokens(in.run, in.layout));
  work_.sequences = in.layout.micro_batch / in.layout.context;
  work_.queries = work_.keys = as<kOne>(in.run.attention_length());
  if (in.run.attention_length() < in.run.sequence_length) {
    work_.sequences = work_.sequences * (in.run.sequence_length / in.run.attention_length());
  }
  work_.causal = in.run.attention_mask == AttentionMask::kCausal;
  work_.flash = in.layout.attention_kernel == AttentionKernel::kFlash;
  work_.activations = work_.key_values = in.run.activation_format;
  work_.weights = in.run.weight_format;
  work_.block_memory = in.chip.block_memory();
  if (!in.measured()) return;
  clocks_ = clocks_of(in);
  chip_ = powered(
      in, format_, clocks_,
      computing_in(weights_, in.chip, kernel_chip(in.chip, in.chip.multiprocessors, in.kernels)));
  memory_ = of_one_chip(in.chip.memory_bandwidth) * scalar<R>(in.constants.memory);
}

// --- at full and at stated rates ---

/// The work of kernels at full rates, and expected where efficiencies are stated. Where no vector
/// rate is listed, the peak of the matrix units stands in for it, so that memory alone prices
/// vector kernels; a notice says so.
template <class R>
Work<R> TrainingPrices<R>::roofline(const Operations<R>& list, Format format) const {
  const auto matrix = in_.chip.peak(format).value;
  const auto vector = in_.chip.vector_rate().present() ? in_.chip.vector_rate().value : matrix;
  Work<R> work;
  for (const Operation<R>& operation : list.items()) {
    const auto rate = of_one_chip(operation.on_vector_units ? vector : matrix);
    const auto math = operation.flops.value() > 0 ? operation.flops / rate : Quantity<kSecond, R>{};
    const auto memory = operation.memory_bytes() / of_one_chip(in_.chip.memory_bandwidth);
    work.flops = work.flops + operation.flops;
    work.math = work.math + math;
    work.memory = work.memory + memory;
    work.lower = work.lower + max(math, memory);
    if (in_.measured()) continue;
    work.expected = work.expected + max(math / in_.assumptions.compute_efficiency,
                                        memory / in_.assumptions.memory_efficiency);
  }
  return work;
}

/// A list whose gradients of weights are summed over micro-batches.
template <class R>
Operations<R> TrainingPrices<R>::operations(const Kernel<R>& kernel) const {
  Operations<R> list;
  list.add_gradients_to(constant<kByte, R>(gradient_sum_width(in_.layout.gradient_format)));
  if (freezes(kernel)) list.freeze();
  return list;
}

template <class R>
PassWork<R> TrainingPrices<R>::matmul_rooflines(const LocalMatmul<R>& launch,
                                                const Kernel<R>& kernel) const {
  auto reads = work_;
  // At best, a matmul reads its matrices as they are held.
  if (is_quantised(in_.run, kernel)) {
    reads.weights = in_.run.base().bits < 8 ? Format::kInt4 : Format::kInt8;
  }
  const auto priced = [&](Pass pass) {
    auto list = operations(kernel);
    add_launch(list, pass, launch, kernel, reads);
    auto work = roofline(list, format_of(kernel.format));
    // Times are the busiest chip's; all chips together compute as if tokens were spread evenly.
    if (kernel.type == KernelType::kExperts) work.flops = work.flops / work_.by.imbalance;
    return work;
  };
  return {priced(Pass::kForward), priced(Pass::kBackward)};
}

template <class R>
PassWork<R> TrainingPrices<R>::rooflines(const Kernel<R>& kernel) const {
  const auto priced = [&](Pass pass) {
    auto list = operations(kernel);
    add_kernel(list, pass, kernel, work_);
    return roofline(list, in_.run.compute_format);
  };
  return {priced(Pass::kForward), priced(Pass::kBackward)};
}

template <class R>
PassWork<R> TrainingPrices<R>::with_expected(PassWork<R> work, const Passes& expected) const {
  work.forward.expected = expected.forward;
  work.backward.expected = expected.backward;
  return work;
}

template <class R>
[[gnu::noinline]] PassWork<R> TrainingPrices<R>::matmul(const LocalMatmul<R>& launch,
                                                        const Kernel<R>& kernel) const {
  PassWork<R> work;
  if (work_of_ == WorkOf::kAll) work = matmul_rooflines(launch, kernel);
  if (!in_.measured()) return work;
  const bool wide =
      kernel.format == FormatClass::kSixteenBit || kernel.format == FormatClass::kHead;
  const KernelFormat format = wide ? KernelFormat::kBf16 : format_;
  const bool experts = kernel.type == KernelType::kExperts;
  const bool frozen = freezes(kernel);
  // Derivations price each matmul where it stands.
  if constexpr (std::is_same_v<R, double>) {
    if (in_.matmuls) {
      const MatmulSizes sizes{launch.rows.value(),
                              launch.contraction.value(),
                              launch.outputs.value(),
                              launch.copies.value(),
                              format,
                              experts,
                              frozen};
      const auto found = in_.matmuls->find(sizes, [&]() -> MatmulSeconds {
        const auto priced = measured_matmul(launch, format, experts, frozen);
        return {priced.forward.value(), priced.backward.value()};
      });
      using Seconds = Quantity<kSecond, R>;
      return with_expected(work, {Seconds(found.forward), Seconds(found.backward)});
    }
  }
  return with_expected(work, measured_matmul(launch, format, experts, frozen));
}

template <class R>
[[gnu::noinline]] PassWork<R> TrainingPrices<R>::other(const Kernel<R>& kernel) const {
  // Lookups are priced by their bytes.
  const bool full = work_of_ == WorkOf::kAll || given(kernel.table);
  const PassWork<R> work = full ? rooflines(kernel) : PassWork<R>{};
  return in_.measured() ? with_expected(work, measured(kernel, work)) : work;
}

// --- at measured rates ---

/// X[rows,contraction] W[contraction,outputs] and its two backward matmuls.
template <class R>
typename TrainingPrices<R>::Passes TrainingPrices<R>::measured_matmul(const LocalMatmul<R>& launch,
                                                                      KernelFormat format,
                                                                      bool experts,
                                                                      bool frozen) const {
  const auto rows = max(launch.rows, one<R>());
  const auto& [unused, contraction, output, copies] = launch;
  const auto sixteen = in_.run.activation_format;
  const auto operand = operand_format(format);
  MatmulKernel<R> kernel{{rows, contraction, output, operand, operand, sixteen}, format, copies};
  auto slow = at_clocks(scalar<R>(of_.sustained(format)));
  const bool low = format != KernelFormat::kBf16;
  if (experts) {
    slow = scalar<R>(low ? of_.grouped_low : of_.grouped) / slow;
  } else {
    const bool odd = misaligned(contraction.value()) || misaligned(output.value());
    slow = scalar<R>(odd ? in_.constants.misaligned : Constant{1}) / slow;
  }
  if (low && in_.stack.rowwise_scales) slow = scalar<R>(in_.constants.rowwise) * slow;
  Passes passes;
  passes.forward = slow * kernel_time(chip_, kernel).expected;
  kernel.shape = {rows, output, contraction, operand, operand, sixteen};
  const auto of_input = kernel_time(chip_, kernel).expected;
  const auto sum =
      gradient_sum_width(in_.layout.gradient_format) == 4 ? Format::kFp32 : Format::kBf16;
  if (frozen) {
    passes.backward = slow * of_input;
  } else {
    kernel.shape = {contraction, rows, output, operand, operand, sum};
    kernel.accumulates = true;
    passes.backward = slow * (of_input + kernel_time(chip_, kernel).expected);
  }
  if (low && frozen) {
    // No pass takes an operand in the other order: rows of inputs forward, of gradients back.
    const auto cast =
        2.0 * scalar<R>(in_.constants.cast) * copies * rows * constant<kByte, R>(1) / memory_;
    passes.forward = passes.forward + contraction * cast;
    passes.backward = passes.backward + output * cast;
  } else if (low) {
    // Operands are read in 16 bits and written in fewer, for both passes in both orders.
    const auto cast = 2.0 * scalar<R>(in_.constants.cast) * copies * rows * (contraction + output) *
                      constant<kByte, R>(1) / memory_;
    passes.forward = passes.forward + cast;
    passes.backward = passes.backward + cast;
  }
  return passes;
}

template <class R>
typename TrainingPrices<R>::Passes TrainingPrices<R>::elementwise(Quantity<kByte, R> bytes) const {
  const auto& moved = in_.stack.unfused ? in_.constants.unfused : in_.constants.elementwise;
  const auto time = scalar<R>(moved) * bytes / memory_;
  return {time, 2.0 * time};
}

template <class R>
typename TrainingPrices<R>::Passes TrainingPrices<R>::measured(const Kernel<R>& kernel,
                                                               const PassWork<R>& rooflines) const {
  switch (kernel.type) {
    case KernelType::kAttention:
      if (!given(kernel.heads.value)) return index_scores(kernel);
      return in_.layout.attention_kernel == AttentionKernel::kNaive ? naive_attention(kernel)
                                                                    : measured_attention(kernel);
    case KernelType::kScan: {
      // A scan moves what its tokens bring, after the convolution.
      const auto bytes = number() * work_.batch.tokens / work_.by.tensor;
      const auto moved =
          bytes * kernel.scan.moved / (memory_ * (scalar<R>(in_.constants.state_memory) / 2.0));
      const auto convolved = elementwise(bytes * (2.0 * kernel.scan.channels));
      return {moved + convolved.forward, 2.0 * moved + convolved.backward};
    }
    case KernelType::kMove: {
      if (given(kernel.table)) {
        const auto memory = scalar<R>(in_.constants.memory);
        return {rooflines.forward.memory / memory, rooflines.backward.memory / memory};
      }
      const auto bytes =
          number() * moving_tokens(kernel, work_.batch, work_.by) * (kernel.read + kernel.written);
      if (!reorders(kernel)) return elementwise(bytes);
      return {bytes / memory_, bytes / memory_};
    }
    case KernelType::kMatmul:
    case KernelType::kExperts:
      break;
  }
  return {};
}

template <class R>
typename TrainingPrices<R>::Passes TrainingPrices<R>::measured_attention(
    const Kernel<R>& kernel) const {
  const auto& of = kernel.heads;
  const auto& sequences = work_.sequences;
  const auto& length = work_.keys;
  const auto heads = share_of(of.heads, of.heads, work_.by.tensor);
  const bool window = given(of.reach.window) && !given(of.reach.ratio) && of.reach.window < length;
  Quantity<kSecond, R> whole{};
  if (given(of.rank)) {
    whole = kernel_time(chip_, LatentPrefillKernel<R>{sequences,
                                                      length,
                                                      {},
                                                      heads,
                                                      of.rank,
                                                      of.nope,
                                                      of.rope,
                                                      of.value,
                                                      CacheFormat::kNone})
                .expected;
  } else {
    // Heads whose values have another width are priced at the mean of both widths.
    const bool one_width = of.key.value() == of.value.value();
    const auto head = one_width ? of.key : (of.key + of.value) / 2.0;
    whole = kernel_time(chip_, PrefillKernel<R>{sequences,
                                                length,
                                                {},
                                                heads,
                                                share_of(of.kv_heads, of.kv_heads, work_.by.tensor),
                                                head,
                                                window ? of.reach.window : Count<R>{},
                                                CacheFormat::kNone})
                .expected;
  }
  // Kernels count the part that each token sees.
  if (!window && sees_part(of.reach, length)) {
    const auto seen = seen_keys(of.reach, length, true);
    const auto all = length / 2.0;
    if (seen < all) whole = seen / all * whole;
  }
  if (in_.run.attention_mask == AttentionMask::kFull) whole = 2.0 * whole;
  const auto flash = [&]() -> Constant {
    switch (in_.stack.flash) {
      case FlashVersion::kBest:
        return Constant{1};
      case FlashVersion::kFlash1:
        return of_.flash1;
      case FlashVersion::kFlash2:
        break;
    }
    return of_.flash2;
  };
  const auto forward = whole / at_clocks(scalar<R>(of_.sustained_attention) * scalar<R>(flash()));
  // Five matmuls for two.
  return {forward, scalar<R>(5) / 2.0 / scalar<R>(in_.constants.backward_attention) * forward};
}

/// Scores go to memory and back; the masked half is computed, too.
template <class R>
typename TrainingPrices<R>::Passes TrainingPrices<R>::naive_attention(
    const Kernel<R>& kernel) const {
  const auto& of = kernel.heads;
  const auto scores =
      work_.batch.tokens * work_.keys * share_of(of.heads, of.heads, work_.by.tensor);
  const auto flops = constant<kFlop, R>(2) * scores * (of.key + of.value);
  const auto rate =
      chip_.peak_in(KernelFormat::kBf16) * at_clocks(scalar<R>(in_.kernels.matmul[0].efficiency) *
                                                     scalar<R>(in_.constants.naive_attention) *
                                                     scalar<R>(of_.sustained(KernelFormat::kBf16)));
  const auto moved =
      scalar<R>(in_.constants.score_bytes) * scores * constant<kByte, R>(1) / memory_;
  const auto forward = scalar<R>(in_.constants.score_forward);
  return {flops / rate + forward * moved, 2.0 * (flops / rate) + (one<R>() - forward) * moved};
}

/// Scores of an indexer, at the rate of attention.
template <class R>
typename TrainingPrices<R>::Passes TrainingPrices<R>::index_scores(const Kernel<R>& kernel) const {
  const auto& length = work_.keys;
  const auto flops = constant<kFlop, R>(2) * work_.batch.tokens * products_of(kernel, length, true);
  const auto rate =
      chip_.peak_in(KernelFormat::kBf16) *
      at_clocks(scalar<R>(in_.kernels.prefill[0].efficiency) * scalar<R>(of_.sustained_attention));
  const auto forward = flops / rate;
  return {forward, 2.0 * forward};
}

/// Each logit takes 20 bytes in both passes: copies in 16 bits and fp32, and their gradients.
template <class R>
PassWork<R> TrainingPrices<R>::loss(const LocalMatmul<R>& head) const {
  if (!in_.measured()) return {};
  const auto time = constant<kByte, R>(10) * head.rows * head.outputs / memory_;
  return with_expected({}, {time, time});
}

// --- beside frozen weights ---

/// At best, an adapter takes no more than its products. It is bound by memory: unfused, each reads
/// its input, and reads, adds and writes its output. Source: LoRA, section 4.1; PEFT, Linear.
template <class R>
PassWork<R> TrainingPrices<R>::adapter(const Kernel<R>& kernel) const {
  Quantity<kFlop, R> flops{};
  for (const Kernel<R>& each : adapter_of(in_.run, kernel)) {
    const auto own = share(each);
    flops = flops + constant<kFlop, R>(2) * own.copies * own.rows * own.contraction * own.outputs;
  }
  PassWork<R> work;
  if (work_of_ == WorkOf::kAll || !in_.measured()) {
    Operations<R> forward, backward;
    forward.add({flops, {}, {}, {}});
    backward.add({2.0 * flops, {}, {}, {}});
    work = {roofline(forward, in_.run.compute_format), roofline(backward, in_.run.compute_format)};
    if (kernel.type == KernelType::kExperts) {
      work.forward.flops = work.forward.flops / work_.by.imbalance;
      work.backward.flops = work.backward.flops / work_.by.imbalance;
    }
  }
  if (!in_.measured()) return work;
  const auto own = share(kernel);
  const auto bytes = number() * own.copies * own.rows * (own.contraction + 3.0 * own.outputs);
  const auto& moved = in_.stack.unfused ? in_.constants.adapter : in_.constants.adapter_fused;
  auto time = scalar<R>(moved) * bytes / memory_;
  // Copies in fp32 are twice as wide.
  if (in_.stack.unfused && in_.stack.adapter_casts) time = 2.0 * time;
  time = max(time, flops / chip_.peak_in(KernelFormat::kBf16));
  return with_expected(work, {time, 2.0 * time});
}

/// Matrices are read in their bits and written in 16 before each use. That takes as long for a few
/// tokens as for many. Source: QLoRA, section 3; bitsandbytes, MatMul4Bit. Those that PyTorch
/// unpacks are kept for the backward pass.
template <class R>
PassWork<R> TrainingPrices<R>::restored(const Kernel<R>& kernel) const {
  if (!in_.measured()) return {};
  const auto own = share(kernel);
  const auto& base = in_.run.base();
  const auto numbers = own.copies * own.contraction * own.outputs;
  const auto time_of = [&](double bytes, Quantity<kByte / kSecond, R> rate) {
    return numbers * (named_number<term::kUnpackedBytes, R>(bytes) + number()) / rate;
  };
  const bool unfused = in_.stack.unfused;
  if (unfused && base.unpacked > 0) {
    const auto bytes = base.bits / 8 + base.unpacked + kNarrowBytes;
    return with_expected({}, {time_of(bytes, memory_), {}});
  }
  const auto& rate = unfused ? in_.constants.restoring : in_.constants.restoring_fused;
  const auto time = time_of(base.bits / 8, memory_ * scalar<R>(rate));
  return with_expected({}, {time, time});
}

template <class R>
[[gnu::noinline]] PassWork<R> TrainingPrices<R>::beside(const Kernel<R>& kernel) const {
  PassWork<R> work;
  if (has_adapter(in_.run, kernel)) work = adapter(kernel);
  return is_quantised(in_.run, kernel) ? work + restored(kernel) : work;
}

template class TrainingPrices<SCALING_REP>;

}  // namespace scaling
