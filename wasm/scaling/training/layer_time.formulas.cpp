// SPDX-License-Identifier: MIT
#include "scaling/training/layer_time.hpp"

#include <cmath>
#include <type_traits>

#include "scaling/hardware/attention_time.hpp"
#include "scaling/hardware/kernel_time.hpp"
#include "scaling/model/kinds/feed_forward.hpp"
#include "scaling/model/kinds/matrices.hpp"
#include "scaling/training/matmul_times.hpp"

namespace scaling {
namespace {

template <class R>
struct PassSeconds {
  Quantity<kSecond, R> forward{}, backward{};

  friend PassSeconds operator+(const PassSeconds& a, const PassSeconds& b) {
    return {a.forward + b.forward, a.backward + b.backward};
  }
  friend PassSeconds operator*(Count<R> n, const PassSeconds& a) {
    return {n * a.forward, n * a.backward};
  }
};

bool misaligned(double width) { return std::fmod(width, 64) > 0.5; }

/// The kernels of one micro-batch on one chip.
template <class R>
class TrainingKernels {
 public:
  explicit TrainingKernels(const StepInput<R>& in)
      : in_(in),
        of_(in.generation()),
        format_(kernel_format(computed(in))),
        clocks_(clocks(in)),
        chip_(powered(in, format_, clocks_,
                      computing_in(computed(in), in.chip,
                                   kernel_chip(in.chip, in.chip.multiprocessors, in.kernels)))),
        memory_(of_one_chip(in.chip.memory_bandwidth) * scalar<R>(in.constants.memory)),
        tokens_(as<kOne>(micro_batch_tokens(in.run, in.layout))) {}

  const Count<R>& tokens() const { return tokens_; }

  /// X[rows,contraction] W[contraction,output] and its two backward matmuls; of experts, `copies`
  /// of them.
  [[gnu::noinline]] PassSeconds<R> matmul(Count<R> rows, Count<R> contraction, Count<R> output,
                                          KernelFormat format, Count<R> copies = scalar<R>(1),
                                          bool of_experts = false) const {
    // Derivations price each matmul where it stands.
    if constexpr (std::is_same_v<R, double>) {
      if (in_.matmuls) {
        const MatmulTimes::Sizes sizes{
            rows.value(), contraction.value(), output.value(), copies.value(), format, of_experts};
        const auto found = in_.matmuls->find(sizes, [&]() -> MatmulTimes::Seconds {
          const auto priced = price(rows, contraction, output, format, copies, of_experts);
          return {priced.forward.value(), priced.backward.value()};
        });
        using Seconds = Quantity<kSecond, R>;
        return {Seconds(found.forward), Seconds(found.backward)};
      }
    }
    return price(rows, contraction, output, format, copies, of_experts);
  }

  PassSeconds<R> weights(Count<R> rows, Count<R> contraction, Count<R> output) const {
    return matmul(rows, contraction, output, format_);
  }
  PassSeconds<R> experts(Count<R> rows, Count<R> contraction, Count<R> output,
                         Count<R> copies) const {
    return matmul(rows, contraction, output, format_, copies, true);
  }

  /// A kernel that moves `bytes` forward, and twice as many backward.
  [[gnu::noinline]] PassSeconds<R> elementwise(Quantity<kByte, R> bytes) const {
    const auto time = scalar<R>(in_.constants.elementwise) * bytes / memory_;
    return {time, 2.0 * time};
  }
  Quantity<kSecond, R> move(Quantity<kByte, R> bytes) const { return bytes / memory_; }

  /// Attention, or what else mixes tokens, in a layer of a group.
  [[gnu::noinline]] PassSeconds<R> mixing(const MixerGroup<R>& group) const {
    const auto& model = in_.model;
    const auto length = as<kOne>(in_.run.sequence_length);
    switch (group.mixer) {
      case Mixer::kAttention:
      case Mixer::kWindowed:
        return attention(group);
      case Mixer::kSparse: {
        // Attention counts the part that each token sees; the indexer scores all tokens.
        const auto all = attention(group);
        const auto shown = part_of(all, group, length / 2.0);
        return group.indexes ? shown + index(length / 2.0) : shown;
      }
      case Mixer::kCompressed: {
        const auto shown = part_of(attention(group), group, length / 2.0);
        const bool chooses = fine_keys(group.size) && model.index_top_k.value() > 0;
        return chooses ? shown + index(length / 2.0 / group.size) : shown;
      }
      case Mixer::kLinear:
        return state(linear_widths(model));
      case Mixer::kMamba:
        return state(mamba_widths(model));
      case Mixer::kConvolution: {
        // Gates and taps in one pass over the three projections.
        const auto width = convolution_widths(model);
        const auto all = width.query + width.key + width.value + width.output;
        return elementwise(bytes_of<R>(in_.run.activation_format) * tokens_ / in_.layout.tensor *
                           all);
      }
      case Mixer::kNone:
        break;
    }
    return {};
  }

  [[gnu::noinline]] PassSeconds<R> attention(const MixerGroup<R>& group) const {
    const auto& model = in_.model;
    const auto dims = attention_dims(model, group);
    if (in_.layout.attention_kernel == AttentionKernel::kNaive) return naive_attention(group);
    const auto& t = in_.layout.tensor;
    const auto sequences = in_.layout.micro_batch / in_.layout.context;
    const auto queries = as<kOne>(in_.run.sequence_length);
    Quantity<kSecond, R> whole{};
    if (model.attention == Attention::kLatent) {
      whole =
          kernel_time(chip_, LatentPrefillKernel<R>{sequences, queries, scalar<R>(0),
                                                    dims.heads / t, model.kv_rank, model.nope_dim,
                                                    model.rope_dim, dims.value, CacheFormat::kNone})
              .expected;
    } else {
      // Heads whose values have another width are priced at the mean of both widths.
      const auto head = dims.own_value ? (dims.key + dims.value) / 2.0 : dims.key;
      const auto of_window = [&](Count<R> window) {
        return kernel_time(chip_, PrefillKernel<R>{sequences, queries, scalar<R>(0), dims.heads / t,
                                                   max(dims.kv_heads / t, scalar<R>(1)), head,
                                                   window, CacheFormat::kNone})
            .expected;
      };
      const auto& window = model.sliding_window;
      const bool windowed = window.value() > 0 && group.windowed.value() > 0 && window < queries;
      const auto share = windowed ? group.windowed / group.layers : scalar<R>(0);
      if (share.value() < 1) whole = (scalar<R>(1) - share) * of_window(scalar<R>(0));
      if (windowed) whole = whole + share * of_window(window);
    }
    if (in_.run.attention_mask == AttentionMask::kFull) whole = 2.0 * whole;
    const auto forward = whole / at_clocks(scalar<R>(of_.sustained_attention) * scalar<R>(flash()));
    // Five matmuls for two.
    return {forward, scalar<R>(5) / 2.0 / scalar<R>(in_.constants.backward_attention) * forward};
  }

  /// Matrices of a mixer in its own shapes, those of its output or all others.
  [[gnu::noinline]] PassSeconds<R> matrices(const MixerGroup<R>& group, bool of_output) const {
    const MixerMatrices<R> all(in_.model, group);
    const auto& t = in_.layout.tensor;
    const auto one = scalar<R>(1);
    PassSeconds<R> time{};
    bool output = false;
    for (const MixerMatrix<R>& each : all.items()) {
      output = output || each.divided == DividedBy::kInputs || each.copies.value() > 1;
      const bool last = output;
      if (each.divided == DividedBy::kInputs) output = false;
      if (last != of_output) continue;
      const auto rows = each.divided == DividedBy::kInputs ? each.rows / t : each.rows;
      const auto columns = each.divided == DividedBy::kOutputs ? each.columns / t : each.columns;
      const auto copies = max(each.copies / t, one);
      time = time + copies * weights(tokens_, rows, max(columns, one));
    }
    return time;
  }

 private:
  [[gnu::noinline]] PassSeconds<R> price(Count<R> rows, Count<R> contraction, Count<R> output,
                                         KernelFormat format, Count<R> copies,
                                         bool of_experts) const {
    if (rows.value() < 1) rows = scalar<R>(1);
    const auto sixteen = in_.run.activation_format;
    const auto operand = operand_format(format);
    MatmulKernel<R> kernel{{rows, contraction, output, operand, operand, sixteen}, format, copies};
    auto slow = at_clocks(scalar<R>(sustained(format)));
    const bool low = format != KernelFormat::kBf16;
    if (of_experts) {
      slow = scalar<R>(low ? of_.grouped_low : of_.grouped) / slow;
    } else {
      const bool odd = misaligned(contraction.value()) || misaligned(output.value());
      slow = scalar<R>(odd ? in_.constants.misaligned : Constant{1}) / slow;
    }
    if (low && in_.stack.rowwise_scales) slow = scalar<R>(in_.constants.rowwise) * slow;
    PassSeconds<R> passes;
    passes.forward = slow * kernel_time(chip_, kernel).expected;
    kernel.shape = {rows, output, contraction, operand, operand, sixteen};
    const auto of_input = kernel_time(chip_, kernel).expected;
    const auto sum =
        gradient_sum_width(in_.layout.gradient_format) == 4 ? Format::kFp32 : Format::kBf16;
    kernel.shape = {contraction, rows, output, operand, operand, sum};
    kernel.accumulates = true;
    passes.backward = slow * (of_input + kernel_time(chip_, kernel).expected);
    if (low) {
      // Operands are read in 16 bits and written in fewer, for both passes in both orders.
      const auto cast = 2.0 * scalar<R>(in_.constants.cast) * copies * rows *
                        (contraction + output) * constant<kByte, R>(1) / memory_;
      passes = passes + PassSeconds<R>{cast, cast};
    }
    return passes;
  }

  static Format computed(const StepInput<R>& in) {
    return in.layout.fp8_matmuls ? Format::kFp8 : in.run.compute_format;
  }

  /// Scores go to memory and back; the masked half is computed, too.
  [[gnu::noinline]] PassSeconds<R> naive_attention(const MixerGroup<R>& group) const {
    const auto& layout = in_.layout;
    const auto heads = attention_dims(in_.model, group).heads;
    const auto width = mixer_widths(in_.model, group);
    const auto scores = tokens_ * as<kOne>(in_.run.sequence_length) * heads / layout.tensor;
    const auto flops = constant<kFlop, R>(2) * scores * (width.query + width.output) / heads;
    const auto rate =
        chip_.peak_in(KernelFormat::kBf16) * at_clocks(scalar<R>(in_.kernels.matmul[0].efficiency) *
                                                       scalar<R>(in_.constants.naive_attention) *
                                                       scalar<R>(sustained(KernelFormat::kBf16)));
    const auto moved = scalar<R>(in_.constants.score_bytes) * scores * constant<kByte, R>(1);
    const auto forward = scalar<R>(in_.constants.score_forward);
    return {flops / rate + move(forward * moved),
            2.0 * (flops / rate) + move((scalar<R>(1) - forward) * moved)};
  }

  /// The part of attention to all tokens that a group's tokens see.
  PassSeconds<R> part_of(const PassSeconds<R>& all, const MixerGroup<R>& group,
                         Count<R> seen_of_all) const {
    const auto length = as<kOne>(in_.run.sequence_length);
    const auto seen = seen_tokens(in_.model, group, length, true);
    if (!(seen < seen_of_all)) return all;
    return seen / seen_of_all * all;
  }

  /// Scores of an indexer, at the rate of attention.
  PassSeconds<R> index(Count<R> seen) const {
    const auto& model = in_.model;
    const auto flops =
        constant<kFlop, R>(2) * tokens_ * seen * model.index_heads * model.index_head_dim;
    const auto rate = chip_.peak_in(KernelFormat::kBf16) *
                      at_clocks(scalar<R>(in_.kernels.prefill[0].efficiency) *
                                scalar<R>(of_.sustained_attention));
    const auto forward = flops / rate;
    return {forward, 2.0 * forward};
  }

  /// Kernels that keep a state, and the convolution before them.
  PassSeconds<R> state(const MixerWidths<R>& width) const {
    const auto all = width.query + width.key + width.value;
    const auto bytes = bytes_of<R>(in_.run.activation_format) * tokens_ / in_.layout.tensor;
    const auto moved =
        bytes * (all + width.output) / (memory_ * (scalar<R>(in_.constants.state_memory) / 2.0));
    const PassSeconds<R> scan{moved, 2.0 * moved};
    return scan + elementwise(2.0 * bytes * all);
  }

  Constant flash() const {
    switch (in_.stack.flash) {
      case FlashVersion::kBest:
        return Constant{1};
      case FlashVersion::kFlash1:
        return of_.flash1;
      case FlashVersion::kFlash2:
        break;
    }
    return of_.flash2;
  }

  const Constant& sustained(KernelFormat format) const { return of_.sustained(format); }

  Count<R> at_clocks(Count<R> share) const { return clocks_ * share; }

  /// Rates of all kernels over those of the measured chips, as a chip with more power than these
  /// runs at higher clocks: the ratio to the power of 3/4. Less power slows the matrix units alone,
  /// which take most of it; see `powered`.
  static Count<R> clocks(const StepInput<R>& in) {
    const TrainingRates& of = in.generation();
    const auto& power = in.chip.power;
    if (of.watts <= 0 || !power.present()) return scalar<R>(1);
    const auto usual = constant<kWatt, R>(of.watts);
    if (!(of_one_chip(power.value) > usual)) return scalar<R>(1);
    return to_three_quarters(of_one_chip(power.value) / usual, in.constants);
  }

  /// `chip` with the peaks of 16 bits and of `format` that its power allows at `clocks`: over those
  /// of a chip with as much power for its peak as the generation's had, as that ratio to the power
  /// of 3/4. So a higher peak is never slower: four times as high, it reaches 4^(1/4) times as
  /// much.
  static KernelChip<R> powered(const StepInput<R>& in, KernelFormat format, Count<R> clocks,
                               KernelChip<R> chip) {
    const TrainingRates& of = in.generation();
    const auto& power = in.chip.power;
    if (of.power <= 0 || !power.present() || !(power.value.value() > 0)) return chip;
    const auto limit = [&](KernelFormat of_format) {
      auto& peak = chip.peak[static_cast<std::size_t>(of_format)];
      const auto usual = constant<kWatt / (kFlop / kSecond), R>(of.power) /
                         scalar<R>(of.peak_over_sixteen(of_format));
      const auto share = to_three_quarters(of_one_chip(power.value) / peak / usual, in.constants);
      peak = share / clocks * peak;
    };
    limit(KernelFormat::kBf16);
    if (format != KernelFormat::kBf16) limit(format);
    return chip;
  }

  static Count<R> to_three_quarters(Count<R> ratio, const StepConstants& constants) {
    const auto root = sqrt(ratio);
    return min(root * sqrt(root), scalar<R>(constants.power_limit));
  }

  static Format operand_format(KernelFormat format) {
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

  const StepInput<R>& in_;
  const TrainingRates& of_;
  KernelFormat format_;
  Count<R> clocks_;
  KernelChip<R> chip_;
  Quantity<kByte / kSecond, R> memory_;
  Count<R> tokens_;
};

}  // namespace

template <class R>
void set_measured_times(LayerWork<R>& work, const StepInput<R>& in) {
  const TrainingKernels<R> kernels(in);
  const auto& model = in.model;
  const auto& t = in.layout.tensor;
  const auto& rows = kernels.tokens();
  const auto& hidden = model.hidden;
  const auto two_bytes = bytes_of<R>(in.run.activation_format);
  const auto width = attention_widths(model);
  const auto divided = in.layout.sequence_parallel ? t : scalar<R>(1);

  // Norms, residual sums and what else passes over the hidden state: ten reads and writes.
  const auto mix = layer_mix(model);
  auto norms = kernels.elementwise(two_bytes * rows * 10.0 * hidden / divided);
  if (mix.both < mix.layers) norms = (mix.both + mix.one_part / 2.0) / mix.layers * norms;
  if (model.residual_streams.value() > 0) {
    // Streams are read and written before and behind each part.
    norms = norms +
            kernels.elementwise(two_bytes * rows * 4.0 * model.residual_streams * hidden / divided);
  }
  const auto qkv = max((width.query + width.key + width.value) / t, scalar<R>(1));
  PassSeconds<R> projections = kernels.elementwise(2.0 * two_bytes * rows * qkv);
  // Projections of layers of one kind are added in a fixed order, so that sums round the same.
  const auto with_weights = [&](const PassSeconds<R>& start, const MixerGroup<R>& group) {
    if (!is_standard(model, group)) return start + kernels.matrices(group, false);
    const auto dims = attention_dims(model, group);
    const auto own = mixer_widths(model, group);
    if (dims.latent) {
      const auto first = model.kv_rank + model.rope_dim;
      const auto value = dims.heads * dims.value;
      const auto keys = dims.heads * model.nope_dim + value;
      return start + kernels.weights(rows, hidden, first + model.query_rank) +
             kernels.weights(rows, model.query_rank.value() > 0 ? model.query_rank : hidden,
                             own.query / t) +
             kernels.weights(rows, model.kv_rank, keys / t);
    }
    const auto heads = dims.heads / t + 2.0 * max(dims.kv_heads / t, scalar<R>(1));
    return start + kernels.weights(rows, hidden, heads * dims.key);
  };
  const auto groups = mix.mixers();
  if (groups.size() == 1 && !(groups[0].layers < mix.layers)) {
    projections = with_weights(projections, groups[0]);
  } else {
    projections = projections + mean_over(mix, [&](const MixerGroup<R>& group) {
                    return with_weights(PassSeconds<R>{}, group);
                  });
  }
  const auto& own_input = model.per_layer_input;
  if (own_input.value() > 0) {
    // On each of the tensor ways; the gated input and the norm behind it pass over memory.
    projections =
        projections + kernels.weights(rows / divided, hidden, own_input) +
        kernels.weights(rows / divided, own_input, hidden) +
        kernels.elementwise(two_bytes * rows * (3.0 * own_input + 3.0 * hidden) / divided);
  }
  const auto attention =
      mean_over(mix, [&](const MixerGroup<R>& group) { return kernels.mixing(group); });
  const auto output = mean_over(mix, [&](const MixerGroup<R>& group) {
    if (!is_standard(model, group)) return kernels.matrices(group, true);
    return kernels.weights(rows, mixer_widths(model, group).output / t, hidden);
  });
  work.norms.expected = named<term::kNormsTime>(norms.forward);
  work.projections.expected = named<term::kProjectionsTime>(projections.forward);
  work.attention.expected = named<term::kAttentionTime>(attention.forward);
  work.output.expected = named<term::kOutputTime>(output.forward);
  const auto shared = norms.backward + projections.backward + attention.backward + output.backward;

  const double gates = model.gated_feed_forward ? 2 : 1;
  if (moe_layers(model) < model.layers) {
    const auto inner = dense_width(model) / t;
    const auto up = kernels.weights(rows, hidden, gates * inner);
    const auto down = kernels.weights(rows, inner, hidden);
    const auto activation = kernels.elementwise(two_bytes * rows * (gates + 1) * inner);
    work.feed_forward.expected =
        named<term::kFeedForwardTime>(up.forward + activation.forward + down.forward);
    work.dense_backward.expected =
        named<term::kDenseBackwardTime>(shared + up.backward + activation.backward + down.backward);
    work.dense_up.expected = up.forward;
    work.dense_activation.expected = activation.forward;
  }
  if (!has_experts(model)) return;
  const auto own = model.experts / in.layout.expert;
  const auto routed = rows / t * in.layout.expert_tensor * model.experts_per_token *
                      expert_imbalance(in.layout, in.assumptions);
  const auto inner = model.expert_feed_forward / in.layout.expert_tensor;
  const auto inputs = expert_inputs(model);
  auto up = kernels.experts(routed / own, inputs, gates * inner, own);
  auto down = kernels.experts(routed / own, inner, inputs, own);
  if (model.expert_latent.value() > 0) {
    up = up + kernels.weights(rows, hidden, inputs);
    down = down + kernels.weights(rows, inputs, hidden);
  }
  auto activation = kernels.elementwise(two_bytes * routed * (gates + 1) * inner);
  if (shared_width(model).value() > 0) {
    const auto together = shared_width(model) / t;
    up = up + kernels.weights(rows, hidden, gates * together);
    down = down + kernels.weights(rows, together, hidden);
    activation = activation + kernels.elementwise(two_bytes * rows * (gates + 1) * together);
  }
  const auto router =
      kernels.matmul(rows / divided, hidden, router_outputs(model), KernelFormat::kBf16);
  // Each token is read and written on its way there and back.
  const auto permute = kernels.move(4.0 * two_bytes * routed * inputs);
  work.experts.expected = named<term::kExpertsTime>(up.forward + down.forward + router.forward);
  work.routing.expected = named<term::kRoutingTime>(permute + activation.forward);
  work.sparse_backward.expected = named<term::kSparseBackwardTime>(
      shared + up.backward + down.backward + router.backward + permute + activation.backward);
  work.sparse_up.expected = up.forward;
  work.sparse_down.expected = down.forward;
  work.sparse_activation.expected = activation.forward;
}

template <class R>
void set_measured_times(EndsWork<R>& work, const StepInput<R>& in) {
  const TrainingKernels<R> kernels(in);
  const auto memory = scalar<R>(in.constants.memory);
  work.embedding_forward.expected = work.embedding_forward.memory / memory;
  work.embedding_backward.expected = work.embedding_backward.memory / memory;
  if (in.model.per_layer_input.value() > 0) {
    const auto inputs = in.model.layers * in.model.per_layer_input / in.layout.tensor;
    const auto projection = kernels.weights(kernels.tokens(), in.model.hidden, inputs);
    work.input_forward.expected = projection.forward;
    work.input_backward.expected = projection.backward;
  }
  const auto width = in.model.vocabulary / in.layout.tensor;
  const auto head = kernels.matmul(kernels.tokens(), in.model.hidden, width, KernelFormat::kBf16);
  // Each logit takes 20 bytes in both passes: copies in 16 bits and fp32, and their gradients.
  const auto loss = kernels.move(constant<kByte, R>(10) * kernels.tokens() * width);
  work.head_forward.expected = named<term::kHeadForwardTime>(head.forward + loss);
  work.head_backward.expected = named<term::kHeadBackwardTime>(head.backward + loss);
}

template void set_measured_times(LayerWork<SCALING_REP>&, const StepInput<SCALING_REP>&);
template void set_measured_times(EndsWork<SCALING_REP>&, const StepInput<SCALING_REP>&);

}  // namespace scaling
