// SPDX-License-Identifier: MIT
#include "scaling/questions/expected_time.hpp"

#include "scaling/hardware/attention_time.hpp"
#include "scaling/hardware/transfer.hpp"
#include "scaling/model/kernel_shapes.hpp"
#include "scaling/training/step_constants.hpp"

namespace scaling {
namespace {

template <class R>
using Seconds = Quantity<kSecond, R>;

/// Prices the kernels of a request.
template <class R>
class KernelPricer {
 public:
  explicit KernelPricer(const OperationQuestion::Typed<R>& in)
      : chip_(computing_in(
            in.operation.compute_format, in.chip,
            kernel_chip(in.chip, in.chip.multiprocessors, kernel_rates(in.chip.generation)))),
        format_(kernel_format(in.operation.compute_format)),
        vector_rate_(in.chip.vector_rate()) {}

  Seconds<R> price(const Operation<R>& operation, const KernelShape<R>& shape) const {
    switch (shape.kind) {
      case ShapeKind::kOther:
        return other(operation);
      case ShapeKind::kMatmul:
        return shape.copies * matmul(shape);
      case ShapeKind::kExperts:
        return experts(shape);
      case ShapeKind::kFlash:
        return flash(shape);
    }
    return other(operation);
  }

 private:
  Seconds<R> matmul(const KernelShape<R>& shape) const {
    MatmulKernel<R> kernel{shape.matmul, format_};
    kernel.accumulates = shape.accumulates;
    kernel.quantising =
        narrower(shape.matmul.activation_format) ? Quantising::kDynamic : Quantising::kFused;
    kernel.sustained = {};
    return kernel_time(chip_, kernel).expected;
  }

  /// The time of the experts that tokens reach, each with as many rows.
  Seconds<R> experts(const KernelShape<R>& shape) const {
    const auto& [rows, contraction, output, activations, weights, result] = shape.matmul;
    const ExpertLoad<R> load{shape.copies, rows};
    GroupedMatmulKernel<R> kernel{
        std::span(&load, 1), contraction, output, activations, weights, result, format_};
    kernel.accumulates = shape.accumulates;
    kernel.sustained = {};
    return kernel_time(chip_, kernel).expected;
  }

  Seconds<R> flash(const KernelShape<R>& shape) const {
    const auto& a = shape.attention;
    const auto one = scalar<R>(1);
    const auto cache =
        bytes_of<double>(a.key_value_format).value() < 2 ? CacheFormat::kFp8 : CacheFormat::kBf16;
    if (a.queries.value() <= 1 && !shape.backward) {
      if (a.values_in_keys) {
        return kernel_time(chip_, LatentDecodeKernel<R>{a.sequences, a.keys, a.heads, a.value_width,
                                                        a.key_width - a.value_width, cache})
            .expected;
      }
      return kernel_time(chip_, DecodeKernel<R>{a.sequences, a.keys, a.heads, a.kv_heads,
                                                mean_width(a), Count<R>{}, cache})
          .expected;
    }
    // A causal kernel sees, on average, half of the keys that it brings; others all.
    const auto past = a.keys > a.queries ? a.keys - a.queries : Count<R>{};
    const auto masked =
        kernel_time(chip_, PrefillKernel<R>{a.sequences, a.queries, past, a.heads, a.kv_heads,
                                            mean_width(a), Count<R>{}, CacheFormat::kNone})
            .expected;
    const auto seen = past + (a.queries + one) / 2.0;
    const auto forward = a.causal ? masked : max(a.keys / seen, one) * masked;
    if (!shape.backward) return forward;
    // Five matmuls for two.
    return scalar<R>(5) / 2.0 / scalar<R>(kStepConstants.backward_attention) * forward;
  }

  /// Half of a head's widths of keys and values.
  static Count<R> mean_width(const AttentionShape<R>& shape) {
    return (shape.key_width + shape.value_width) / 2.0;
  }

  /// The bytes that it moves, and its FLOPs beside them.
  Seconds<R> other(const Operation<R>& operation) const {
    StreamingKernel<R> stream;
    stream.bytes = operation.memory_bytes();
    const auto moving = kernel_time(chip_, stream).expected;
    if (operation.flops.value() <= 0) return moving;
    if (!operation.on_vector_units) {
      const auto& matmul = chip_.rates->matmul[static_cast<std::size_t>(format_)];
      const auto rate = scalar<R>(matmul.efficiency) * chip_.peak_in(format_);
      return together(moving, operation.flops / rate);
    }
    if (!vector_rate_.present()) return moving;
    return together(moving, operation.flops / of_one_chip(vector_rate_.value));
  }

  bool narrower(Format activations) const {
    return format_ != KernelFormat::kBf16 && bytes_of<double>(activations).value() >= 2;
  }

  KernelChip<R> chip_;
  KernelFormat format_;
  Maybe<Quantity<kFlop / kSecond / kChip, R>> vector_rate_;
};

}  // namespace

template <class R>
Maybe<Quantity<kSecond, R>> measured_collective(const Chip<R>& chip, const Mesh<R>& mesh,
                                                const CollectiveRequest<R>& request) {
  return measured_time(chip, kernel_chip(chip, chip.multiprocessors, kernel_rates(chip.generation)),
                       place(chip, mesh, request));
}

template <class R>
Maybe<Quantity<kSecond, R>> measured_operation(const OperationQuestion::Typed<R>& in,
                                               const Maybe<Quantity<kSecond, R>>& lower) {
  if (!lower.present()) return lower;
  if (in.operation.operands_in != MemoryLevel::kHbm) return Absence::kNotApplicable;
  KernelShapes<R> shapes;
  Operations<R> list;
  list.tell(shapes);
  add_kernels(list, in);
  const KernelPricer<R> pricer(in);
  const auto sum_of = [&](ShapeKind kind) {
    Seconds<R> time{};
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      if (shapes[i].kind == kind) time = time + pricer.price(list.items()[i], shapes[i]);
    }
    return time;
  };
  Seconds<R> time{};
  const auto add = [&time](Seconds<R> part) {
    if (part.value() > 0) time = time + part;
  };
  add(named<term::kMatmulKernels>(sum_of(ShapeKind::kMatmul)));
  add(named<term::kExpertKernels>(sum_of(ShapeKind::kExperts)));
  add(named<term::kAttentionKernels>(sum_of(ShapeKind::kFlash)));
  add(named<term::kOtherKernels>(sum_of(ShapeKind::kOther)));
  auto all = Maybe<Seconds<R>>(time);
  if (row_of(in.operation.kind).has(kAsksMesh) && in.mesh.chips().value() > 1) {
    const auto transfers = operand_collectives(in.operation);
    auto sent = Maybe<Seconds<R>>(Seconds<R>{});
    for (const auto& transfer : transfers.items()) {
      sent = when_present([](auto sum, auto more) { return sum + more; }, sent,
                          measured_collective(in.chip, in.mesh, transfer));
    }
    all = when_present(
        [](auto sum, auto more) { return sum + named<term::kExpectedNetwork>(more); }, all, sent);
  }
  return when_present([](auto t, auto least) { return max(t, least); }, all, lower);
}

template <class R>
void answer_expected_times() {
  expected_operation<R> = &measured_operation<R>;
  expected_collective<R> = &measured_collective<R>;
}

template Maybe<Quantity<kSecond, SCALING_REP>> measured_operation(
    const OperationQuestion::Typed<SCALING_REP>&, const Maybe<Quantity<kSecond, SCALING_REP>>&);
template Maybe<Quantity<kSecond, SCALING_REP>> measured_collective(
    const Chip<SCALING_REP>&, const Mesh<SCALING_REP>&, const CollectiveRequest<SCALING_REP>&);
template void answer_expected_times<SCALING_REP>();

}  // namespace scaling
