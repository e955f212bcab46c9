// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/format.hpp"
#include "scaling/input/generation.hpp"

namespace scaling {

/// The network of one scale-up domain.
enum class Network : std::uint8_t {
  kNone,      ///< a chip has a domain of its own
  kTorus,     ///< links to its neighbours
  kSwitched,  ///< links of their own to all chips of the domain
  kPcie,      ///< the chips of a server talk through their host
};
inline constexpr const char* kNetworkNames[] = {"none", "torus", "switched", "pcie"};

/// The axes of a torus slice that close to a ring.
enum class Wraparound : std::uint8_t {
  kNever,
  kFullAxis,  ///< only an axis of the pod's full length (v5e and v6e: 16)
  kCubes,     ///< slices built of whole 4x4x4 cubes (v4, v5p, TPU7x)
};
inline constexpr const char* kWraparoundNames[] = {"never", "fullAxis", "cubes"};

/// The switches of a network that add up what they pass on, as NVLink SHARP does inside a domain
/// and InfiniBand's SHARP beyond it.
enum class SwitchReduction : std::uint8_t { kEverywhere, kScaleUp, kScaleOut, kNone };
inline constexpr const char* kSwitchReductionNames[] = {"everywhere", "scaleUp", "scaleOut",
                                                        "none"};

/// The way in which an hour of a chip is paid for.
enum class Payment : std::uint8_t {
  kRented,  ///< a price for each hour
  kOwned,   ///< its purchase price, its power and its place
};
inline constexpr const char* kPaymentNames[] = {"rented", "owned"};

/// One accelerator and what it is joined by. Peaks are dense and per chip; link bandwidths are of
/// one direction.
template <class R>
struct Chip {
  static constexpr const char* kGroup = "chip";
  static constexpr const char* kPrefix = "chip.";
  template <class T>
  struct Slot {
    T chip;
    static constexpr T Slot::*kMember = &Slot::chip;
  };

  ChipGeneration generation;  ///< whose measured kernels its own are taken to resemble
  Count<R> multiprocessors;   ///< that take a tile of a matmul each: SMs, compute units, MXUs
  Quantity<kByte / kChip, R> memory;
  Count<R> reserved_memory;  ///< share of it that the chip's runtime gives to no program
  Quantity<kByte / kSecond / kChip, R> memory_bandwidth;

  /// The memory between HBM and the arithmetic units: VMEM of a TPU, L2 of a GPU.
  Maybe<Quantity<kByte / kChip, R>> on_chip_memory;
  Maybe<Quantity<kByte / kSecond / kChip, R>> on_chip_bandwidth;
  /// The memory of one core for its tiles: VMEM of a TPU core, shared memory of an SM.
  Maybe<Quantity<kByte, R>> tile_memory;

  using Peak = Maybe<Quantity<kFlop / kSecond / kChip, R>>;
  Peak peak_fp32, peak_tf32, peak_bf16, peak_fp16, peak_fp8, peak_int8, peak_fp4, peak_int4;
  Peak peak_vector;  ///< of the vector units, in fp32: VPU, CUDA cores

  Network network;
  SwitchReduction switch_reduction;
  Count<R> torus_x, torus_y, torus_z;  ///< axes of a whole pod; 1 where there is none
  Wraparound wraparound;
  Quantity<kByte / kSecond / kChip, R> link_bandwidth;      ///< of a torus link
  Quantity<kChip, R> scale_up_chips;                        ///< in a switched domain
  Quantity<kByte / kSecond / kChip, R> scale_up_bandwidth;  ///< egress into a switched domain
  Maybe<Quantity<kByte / kSecond / kChip, R>> scale_out_bandwidth;
  Count<R> leaf_domains;      ///< switched domains under one group of leaf switches
  Count<R> oversubscription;  ///< of the scale-out network above its leaves
  /// The latency of one hop on a torus (book ch. 3: about 1 us), or of one step of a collective
  /// inside a switched domain (NCCL counts 0.5 us over NVLink, before its kernel).
  Quantity<kSecond, R> hop_latency;
  /// The latency of one step between domains or slices. Source: NCCL's tuning model
  /// (src/graph/tuning.cc), 5 us for a step of a tree over the network.
  Quantity<kSecond, R> scale_out_latency;
  Maybe<Quantity<kByte / kSecond / kChip, R>> host_bandwidth;

  Payment payment;
  Maybe<Quantity<kDollar / kChip / kHour, R>> price;
  Maybe<Quantity<kDollar / kChip, R>> purchase;  ///< with its share of the server and its network
  Count<R> years;                                ///< over which the purchase is written off
  Count<R> utilisation;                          ///< share of these years that a chip is at work
  Quantity<kDollar / kKilowattHour, R> tariff;   ///< of electricity
  Quantity<kDollar / kChip / kHour, R> hosting;  ///< space, staff, network: of every hour
  Maybe<Quantity<kWatt / kChip, R>> power;

  static constexpr auto fields() {  // NOLINT(readability-function-size): a table
    constexpr Range kPeak{1e6, 1e21};
    constexpr Range kBandwidth{1e3, 1e18};
    constexpr Range kAxis{1, 1e6};
    return Fields{
        choice(&Chip::generation, "generation", kChipGenerationNames)
            .rare()
            .about(Topic::kKernels)
            .fallback(ChipGeneration::kGeneral),
        count(&Chip::multiprocessors, "multiprocessors", "n_SM", {1, 1e6})
            .rare()
            .about(Topic::kKernels)
            .fallback(128),
        number(&Chip::memory, "memory", "M_hbm", {1e6, 1e15}).for_targets(),
        number(&Chip::reserved_memory, "reservedMemory", "u_runtime", {0, 1})
            .rare()
            .in_percent()
            .about(Topic::kUnits)
            .fallback(0),
        number(&Chip::memory_bandwidth, "memoryBandwidth", "W_hbm", kBandwidth).for_targets(),
        number(&Chip::on_chip_memory, "onChipMemory", "M_chip", {1, 1e15})
            .rare()
            .about(Topic::kUnits),
        number(&Chip::on_chip_bandwidth, "onChipBandwidth", "W_chip", kBandwidth)
            .rare()
            .about(Topic::kBlocks),
        number(&Chip::tile_memory, "tileMemory", "M_tile", {1, 1e15}).rare().about(Topic::kBlocks),
        number(&Chip::peak_fp32, "peakFp32", "C_fp32", kPeak).rare(),
        number(&Chip::peak_tf32, "peakTf32", "C_tf32", kPeak).rare(),
        number(&Chip::peak_bf16, "peakBf16", "C_bf16", kPeak).for_targets(),
        number(&Chip::peak_fp16, "peakFp16", "C_fp16", kPeak).rare().for_targets(),
        number(&Chip::peak_fp8, "peakFp8", "C_fp8", kPeak).for_targets(),
        number(&Chip::peak_int8, "peakInt8", "C_int8", kPeak).rare(),
        number(&Chip::peak_fp4, "peakFp4", "C_fp4", kPeak).rare(),
        number(&Chip::peak_int4, "peakInt4", "C_int4", kPeak).rare(),
        number(&Chip::peak_vector, "peakVector", "C_vector", kPeak).rare().about(Topic::kUnits),
        choice(&Chip::network, "network", kNetworkNames)
            .about(Topic::kNetwork)
            .fallback(Network::kNone),
        count(&Chip::torus_x, "torusX", "X_pod", kAxis)
            .rare()
            .about(Topic::kNetwork)
            .when("network", Network::kTorus),
        count(&Chip::torus_y, "torusY", "Y_pod", kAxis)
            .rare()
            .about(Topic::kNetwork)
            .fallback(1)
            .when("network", Network::kTorus),
        count(&Chip::torus_z, "torusZ", "Z_pod", kAxis)
            .rare()
            .about(Topic::kNetwork)
            .fallback(1)
            .when("network", Network::kTorus),
        choice(&Chip::wraparound, "wraparound", kWraparoundNames)
            .rare()
            .about(Topic::kNetwork)
            .fallback(Wraparound::kNever)
            .when("network", Network::kTorus),
        number(&Chip::link_bandwidth, "linkBandwidth", "W_link", kBandwidth)
            .for_targets()
            .about(Topic::kNetwork)
            .when("network", Network::kTorus),
        count(&Chip::scale_up_chips, "scaleUpChips", "n_domain", {1, 1e6})
            .about(Topic::kNetwork)
            .when("network", Network::kSwitched, Network::kPcie),
        number(&Chip::scale_up_bandwidth, "scaleUpBandwidth", "W_up", kBandwidth)
            .for_targets()
            .about(Topic::kNetwork)
            .when("network", Network::kSwitched, Network::kPcie),
        number(&Chip::scale_out_bandwidth, "scaleOutBandwidth", "W_out", kBandwidth)
            .for_targets()
            .about(Topic::kNetwork),
        count(&Chip::leaf_domains, "leafDomains", "n_leaf", kAxis)
            .rare()
            .about(Topic::kTransfers)
            .fallback(32)
            .when("network", Network::kNone, Network::kSwitched, Network::kPcie),
        number(&Chip::oversubscription, "oversubscription", "r_over", {1, 1e3})
            .rare()
            .about(Topic::kTransfers)
            .fallback(1)
            .when("network", Network::kNone, Network::kSwitched, Network::kPcie),
        choice(&Chip::switch_reduction, "switchReduction", kSwitchReductionNames)
            .rare()
            .about(Topic::kTransfers)
            .fallback(SwitchReduction::kEverywhere)
            .when("network", Network::kSwitched),
        number(&Chip::hop_latency, "hopLatency", "t_hop", {0, 1})
            .rare()
            .about(Topic::kTransfers)
            .fallback(1e-6),
        number(&Chip::scale_out_latency, "scaleOutLatency", "t_out", {0, 1})
            .rare()
            .about(Topic::kTransfers)
            .fallback(5e-6),
        number(&Chip::host_bandwidth, "hostBandwidth", "W_host", kBandwidth)
            .rare()
            .about(Topic::kUnits),
        choice(&Chip::payment, "payment", kPaymentNames)
            .about(Topic::kPrice)
            .fallback(Payment::kRented),
        number(&Chip::price, "price", "p_chip", {0, 1e6})
            .asked()
            .for_targets()
            .about(Topic::kPrice)
            .when("payment", Payment::kRented),
        number(&Chip::purchase, "purchase", "p_buy", {0, 1e9})
            .rare()
            .for_targets()
            .about(Topic::kPrice)
            .when("payment", Payment::kOwned),
        // Meta writes off most of its servers over 5.5 years since January 2025 (Form 10-K for
        // 2025, note on property and equipment).
        number(&Chip::years, "years", "t_years", {0.1, 100})
            .rare()
            .for_targets()
            .about(Topic::kPrice)
            .fallback(5.5)
            .when("payment", Payment::kOwned),
        // The default is work all the time: a lower bound of the price, until the reader knows
        // better.
        number(&Chip::utilisation, "utilisation", "u", {1e-3, 1})
            .rare()
            .for_targets()
            .in_percent()
            .about(Topic::kPrice)
            .fallback(1)
            .when("payment", Payment::kOwned),
        // Average of industrial customers in the United States in 2023 (U.S. Energy Information
        // Administration, March 2024).
        number(&Chip::tariff, "tariff", "p_kWh", {0, 100})
            .rare()
            .for_targets()
            .about(Topic::kPrice)
            .fallback(0.0806)
            .when("payment", Payment::kOwned),
        number(&Chip::hosting, "hosting", "p_host", {0, 1e6})
            .rare()
            .for_targets()
            .about(Topic::kPrice)
            .fallback(0)
            .when("payment", Payment::kOwned),
        number(&Chip::power, "power", "P_chip", {0, 1e6}).for_targets().about(Topic::kPrice),
    };
  }

  /// Dense peak rate in `format`, if the chip has one.
  constexpr Peak peak(Format format) const {
    const Peak peaks[] = {peak_fp32, peak_bf16, peak_fp16, peak_fp8,
                          peak_int8, peak_fp4,  peak_int4, peak_tf32};
    return peaks[static_cast<int>(format)];
  }

  /// Rate of the vector units; where it is not listed, of fp32, which most chips compute on them.
  constexpr Peak vector_rate() const { return peak_vector.present() ? peak_vector : peak_fp32; }

  /// The memory where blocks stay while others are read from HBM: cores share what is on the chip,
  /// so their blocks count together; where that is not listed, one core's memory.
  Maybe<Quantity<kByte, R>> block_memory() const {
    if (!on_chip_memory.present()) return tile_memory;
    return of_one_chip(on_chip_memory.value);
  }

  /// Chips of the largest network in which every pair is joined by scale-up links.
  Quantity<kChip, R> domain_chips() const {
    if (network == Network::kTorus) return as<kChip>(torus_x * torus_y * torus_z);
    if (network == Network::kNone) return constant<kChip, R>(1);
    return scale_up_chips;
  }

  /// Whether switches add up: those of a domain, or those beyond.
  bool adds_up(bool inside) const {
    if (network != Network::kSwitched) return false;
    return switch_reduction == SwitchReduction::kEverywhere ||
           switch_reduction == (inside ? SwitchReduction::kScaleUp : SwitchReduction::kScaleOut);
  }

  /// Axes of the torus that are longer than one chip.
  int torus_axes() const {
    return (torus_x.value() > 1) + (torus_y.value() > 1) + (torus_z.value() > 1);
  }
};

}  // namespace scaling
