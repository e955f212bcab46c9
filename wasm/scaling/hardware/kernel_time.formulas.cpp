// SPDX-License-Identifier: MIT
#include "scaling/hardware/kernel_time.hpp"

#include <initializer_list>

#include "scaling/hardware/kernel_tiles.hpp"

namespace scaling {
namespace {

/// Columns of a result up to which its tiles are turned.
constexpr double kNarrow = 128;

/// Bytes at a share of the memory's bandwidth.
template <class R>
Quantity<kSecond, R> moving(const KernelChip<R>& chip, Quantity<kByte, R> bytes,
                            const Constant& share) {
  return bytes / (chip.memory * scalar<R>(share));
}

/// Bytes from L2, so many a second for each core; none if that is not known.
template <class R>
Quantity<kSecond, R> from_cache(const KernelChip<R>& chip, Quantity<kByte, R> bytes,
                                const Constant& rate) {
  if (!(rate > 0)) return {};
  return bytes / (chip.cores * constant<kByte / kSecond, R>(rate));
}

template <class R>
Quantity<kByte, R> at_least_none(Quantity<kByte, R> bytes) {
  return max(bytes, Quantity<kByte, R>{});
}

/// Longer by the throttle: at sustained clocks by all of it, else as far as the clock falls while
/// the kernel runs.
template <class R>
Quantity<kSecond, R> throttled(Quantity<kSecond, R> time, const Constant& throttle,
                               Count<R> sustained) {
  if (!(throttle > 0)) return time;
  if (!(sustained.value() < 1)) return time * (scalar<R>(1) + scalar<R>(throttle));
  auto share = time / (time + seconds_of<R>(kKernelConstants.throttle_time));
  if (sustained.value() > 0) share = sustained + (scalar<R>(1) - sustained) * share;
  return time + scalar<R>(throttle) * share * time;
}

/// Time of one core for a number of the result and a unit of the contraction, at full rate.
template <class R>
Quantity<kSecond, R> element_time(const KernelChip<R>& chip, KernelFormat format,
                                  Count<R> efficiency) {
  return constant<kFlop, R>(2) / (chip.peak_in(format) / chip.cores * efficiency);
}

template <class R>
Quantity<kSecond, R> unit_time(Quantity<kSecond, R> element, Quantity<kByte, R> activation,
                               Quantity<kByte, R> weight, const TileSize& size,
                               const MatmulRates& rates) {
  auto unit = scalar<R>(size.rows) * scalar<R>(size.columns) * element;
  if (rates.feed > 0) {
    const auto bytes = scalar<R>(size.rows) * activation + scalar<R>(size.columns) * weight;
    unit = max(unit, bytes / constant<kByte / kSecond, R>(rates.feed));
  }
  return rates.step > 0 ? max(unit, seconds_of<R>(rates.step)) : unit;
}

/// Waves of `tiles` tiles; `wave` is the share of the last one's idle time that counts.
template <class R>
Count<R> waves_of(Count<R> tiles, Count<R> cores, const Constant& wave) {
  const auto waves = max(tiles / cores, scalar<R>(1));
  if (!(wave > 0)) return waves;
  if (wave >= 1) return ceil(waves);
  return (scalar<R>(1) - scalar<R>(wave)) * waves + scalar<R>(wave) * ceil(waves);
}

}  // namespace

template <class R>
KernelChip<R> kernel_chip(const Chip<R>& chip, Count<R> cores, const KernelRates& rates) {
  KernelChip<R> result{};
  result.cores = cores;
  using Rate = Quantity<kFlop / kSecond, R>;
  const auto first_of = [&](std::initializer_list<Format> formats, Rate otherwise) {
    for (const Format format : formats) {
      const auto peak = chip.peak(format);
      if (peak.present()) return of_one_chip(peak.value);
    }
    return otherwise;
  };
  const Rate sixteen =
      first_of({Format::kBf16, Format::kFp16, Format::kTf32, Format::kFp32}, Rate{});
  const Rate eight = first_of({Format::kFp8, Format::kInt8}, sixteen);
  const Rate four = first_of({Format::kFp4, Format::kInt4}, eight);
  result.peak = {sixteen, eight, eight, four};
  result.memory = of_one_chip(chip.memory_bandwidth);
  result.cache = chip.on_chip_memory.present() ? of_one_chip(chip.on_chip_memory.value)
                                               : constant<kByte, R>(rates.matmul[0].hot);
  if (chip.network == Network::kSwitched) result.link = of_one_chip(chip.scale_up_bandwidth);
  result.rates = &rates;
  return result;
}

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const MatmulKernel<R>& kernel) {
  const MatmulRates& rates = chip.rates->matmul[static_cast<std::size_t>(kernel.format)];
  const auto& shape = kernel.shape;
  const auto& rows = shape.batch;
  const auto& columns = shape.output;
  const auto& contraction = shape.contraction;
  const auto activation = stored_bytes<R>(shape.activation_format);
  const auto weight = stored_or(kernel.stored, shape.weight_format);
  const auto written = bytes_of<R>(shape.output_format);

  const auto element = element_time(chip, kernel.format, scalar<R>(rates.efficiency));
  // Sums in fp32: each part of the contraction writes its own, and all are read once.
  const auto sums = kernel.copies * rows * columns * constant<kByte, R>(8) / (3.0 * chip.memory);
  // A narrow result is computed turned: the shorter side of its tiles lies along it.
  const bool turned = columns.value() <= kNarrow && columns < rows;
  const auto& down = turned ? columns : rows;
  const auto& across = turned ? rows : columns;
  const auto& of_row = turned ? weight : activation;
  const auto& of_column = turned ? activation : weight;
  const TileChoice choice = choose_tiles(
      {down.value(), across.value(), contraction.value(), kernel.copies.value(), chip.cores.value(),
       element.value(), rates.feed > 0 ? of_row.value() / rates.feed : 0,
       rates.feed > 0 ? of_column.value() / rates.feed : 0, sums.value()},
      rates);
  const auto parts = scalar<R>(choice.parts);
  const auto tiles = ceil(down / scalar<R>(choice.size.rows)) *
                     ceil(across / scalar<R>(choice.size.columns)) * kernel.copies * parts;
  const auto unit = unit_time(element, of_row, of_column, choice.size, rates);
  const auto depth = scalar<R>(kTileDepth) * ceil(contraction / (scalar<R>(kTileDepth) * parts));
  auto computing =
      waves_of(tiles, chip.cores, rates.wave) * (unit * depth + seconds_of<R>(rates.tile));
  if (choice.parts > 1) computing = computing + seconds_of<R>(rates.split) + parts * sums;
  computing = throttled(computing, rates.throttle, kernel.sustained);

  const auto a = kernel.copies * rows * contraction * activation;
  const auto b = kernel.copies * contraction * columns * weight;
  const auto c = kernel.copies * rows * columns * (kernel.accumulates ? 2.0 * written : written);
  auto cold = a + b + c;
  auto floor_bytes = cold;
  Quantity<kSecond, R> hot{};
  if (kernel.heat != Heat::kCold) {
    const auto of_a = hot_share(a + b + c, rates.hot) * a;
    const bool all = kernel.heat == Heat::kHot;
    const auto of_b =
        all ? hot_share(a + kernel.rotation * b + c, rates.hot) * b : Quantity<kByte, R>{};
    auto kept = of_a + of_b;
    if (all && rates.writes > 0) {
      // One share of everything: what is written stays where it drives nothing out.
      kept = hot_share(a + kernel.rotation * b + c, rates.hot) * (a + b + c);
    }
    cold = cold - kept;
    hot = from_cache(chip, kept, rates.cache);
    floor_bytes =
        all ? at_least_none(floor_bytes - chip.cache) : b + c + at_least_none(a - chip.cache);
  }
  auto expected =
      seconds_of<R>(rates.start) + together(computing, moving(chip, cold, rates.memory) + hot);
  if (kernel.quantising == Quantising::kDynamic && rates.quantise > 0) {
    const auto bytes =
        kernel.copies * rows * contraction * constant<kByte, R>(rates.quantise_bytes);
    expected = expected + seconds_of<R>(rates.quantise_start) + moving(chip, bytes, rates.quantise);
  }
  const auto flops = constant<kFlop, R>(2) * kernel.copies * rows * columns * contraction;
  const auto floor = max(flops / chip.peak_in(kernel.format), floor_bytes / chip.memory);
  return {floor, max(expected, floor)};
}

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const GroupedMatmulKernel<R>& kernel) {
  const auto format = static_cast<std::size_t>(kernel.format);
  const MatmulRates& rates = chip.rates->matmul[format];
  const ExpertsRates& experts = chip.rates->experts[format];
  const auto activation = stored_bytes<R>(kernel.activation_format);
  const auto weight = stored_or(kernel.stored, kernel.weight_format);
  const auto written = bytes_of<R>(kernel.output_format);
  const auto element = element_time(chip, kernel.format,
                                    scalar<R>(rates.efficiency) * scalar<R>(experts.efficiency));

  // The tile that takes the least, on plain numbers.
  TileSize chosen{};
  double least = 0;
  for (const TileSize& listed : kTileSizes) {
    const TileSize size{listed.rows < rates.least_tile ? rates.least_tile : listed.rows,
                        listed.columns < rates.least_tile ? rates.least_tile : listed.columns};
    double tiles = 0;
    for (const auto& load : kernel.loads) {
      tiles += load.experts.value() * ceil_of(load.rows.value() / size.rows);
    }
    const double waves =
        ceil_of(tiles * ceil_of(kernel.output.value() / size.columns) / chip.cores.value());
    double unit = size.rows * size.columns * element.value();
    if (rates.feed > 0) {
      const double feed =
          (size.rows * activation.value() + size.columns * weight.value()) / rates.feed;
      if (unit < feed) unit = feed;
    }
    if (unit < rates.step) unit = rates.step;
    const double time = waves * (unit * kernel.contraction.value() + experts.tile);
    if (chosen.rows > 0 && !(time < least)) continue;
    least = time;
    chosen = size;
  }

  Count<R> tiles{}, active{}, rows{};
  for (const auto& load : kernel.loads) {
    tiles = tiles + load.experts * ceil(load.rows / scalar<R>(chosen.rows));
    active = active + load.experts;
    rows = rows + load.experts * load.rows;
  }
  const auto waves = ceil(tiles * ceil(kernel.output / scalar<R>(chosen.columns)) / chip.cores);
  const auto unit = unit_time(element, activation, weight, chosen, rates);
  const auto computing =
      throttled(waves * (unit * kernel.contraction + seconds_of<R>(experts.tile)), rates.throttle,
                kernel.sustained);
  const auto weights = active * kernel.contraction * kernel.output * weight;
  const auto moved = rows * (kernel.contraction * activation +
                             kernel.output * (kernel.accumulates ? 2.0 * written : written));
  auto bytes = weights + moved;
  auto floor_bytes = bytes;
  if (kernel.heat == Heat::kHot) {
    bytes = (scalar<R>(1) - hot_share(weights + kernel.others, experts.hot)) * bytes;
    floor_bytes = at_least_none(floor_bytes - chip.cache);
  }
  const auto expected = together(computing, moving(chip, bytes, experts.memory));
  const auto flops = constant<kFlop, R>(2) * rows * kernel.contraction * kernel.output;
  const auto floor = max(flops / chip.peak_in(kernel.format), floor_bytes / chip.memory);
  return {floor, max(expected, floor)};
}

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const MoeLayerKernel<R>& kernel) {
  const ExpertsRates& rates = chip.rates->experts[static_cast<std::size_t>(kernel.format)];
  const auto inputs = kernel.gated ? scalar<R>(2) : scalar<R>(1);
  const Format computed = kernel.format == KernelFormat::kBf16  ? Format::kBf16
                          : kernel.format == KernelFormat::kFp4 ? Format::kFp4
                                                                : Format::kFp8;
  GroupedMatmulKernel<R> matmul{.loads = kernel.loads,
                                .contraction = kernel.hidden,
                                .output = inputs * kernel.inner,
                                .activation_format = computed,
                                .weight_format = kernel.weight_format,
                                .format = kernel.format,
                                .sustained = kernel.sustained,
                                .heat = kernel.heat,
                                .others = {},
                                .stored = kernel.stored};
  Count<R> rows{}, active{};
  for (const auto& load : kernel.loads) {
    rows = rows + load.experts * load.rows;
    active = active + load.experts;
  }
  const auto matrix =
      active * kernel.inner * kernel.hidden * stored_or(kernel.stored, kernel.weight_format);
  matmul.others = matrix;
  auto result = kernel_time(chip, matmul);
  matmul.contraction = kernel.inner;
  matmul.output = kernel.hidden;
  matmul.others = inputs * matrix;
  result = result + kernel_time(chip, matmul);

  const auto sixteen = constant<kByte, R>(2);
  const auto operand = stored_bytes<R>(computed);
  // A token is read and written in an expert's order, and its result read again; the activation
  // reads what the first matmul wrote; the sum of a token is written.
  auto permuted = rows * (kernel.hidden * (2.0 * sixteen + operand) +
                          kernel.inner * (inputs * sixteen + operand)) +
                  kernel.tokens * kernel.hidden * sixteen;
  if (kernel.heat == Heat::kHot && rates.hot > 0) {
    const auto weights = (inputs + scalar<R>(1)) * matrix;
    permuted = (scalar<R>(1) - hot_share(weights, rates.hot)) * permuted;
  }
  result.expected = result.expected + seconds_of<R>(rates.start) +
                    moving(chip, permuted, rates.permute) +
                    kernel.tokens * kernel.top_k * seconds_of<R>(rates.per_token) +
                    kernel.experts * seconds_of<R>(rates.per_expert);
  return result;
}

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const StreamingKernel<R>& kernel) {
  const StreamRates& rates = chip.rates->stream[static_cast<std::size_t>(kernel.kind)];
  const auto worked = kernel.bytes + kernel.padding;
  auto time = moving(chip, worked, rates.memory);
  auto floor_bytes = kernel.bytes;
  if (kernel.heat == Heat::kHot) {
    const MatmulRates& matmul = chip.rates->matmul[0];
    const auto kept = hot_share(worked, matmul.hot) * worked;
    time = moving(chip, worked - kept, rates.memory) + from_cache(chip, kept, matmul.cache);
    floor_bytes = at_least_none(floor_bytes - chip.cache);
  }
  if (rates.feed > 0) time = max(time, from_cache(chip, worked, rates.feed));
  if (rates.chunk > 0) time = together(kernel.chunks * seconds_of<R>(rates.chunk), time);
  if (rates.per_row > 0) time = time + kernel.rows * seconds_of<R>(rates.per_row);
  const auto floor = floor_bytes / chip.memory;
  return {floor, max(seconds_of<R>(rates.start) + time, floor)};
}

template KernelChip<SCALING_REP> kernel_chip(const Chip<SCALING_REP>&, Count<SCALING_REP>,
                                             const KernelRates&);
template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const MatmulKernel<SCALING_REP>&);
template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const GroupedMatmulKernel<SCALING_REP>&);
template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const MoeLayerKernel<SCALING_REP>&);
template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const StreamingKernel<SCALING_REP>&);

}  // namespace scaling
