// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"

namespace scaling {

/// The origin of the rates that a chip reaches.
enum class RatesFrom : std::uint8_t {
  kMeasured,  ///< rates of measured kernels and trainings: shared/efficiency.json
  kStated,    ///< the shares and overlaps that the reader states
};
inline constexpr const char* kRatesFromNames[] = {"measured", "stated"};

/// Memory that PyTorch's caching allocator holds beyond what tensors take that come and go in a
/// step, as a share of these: of published trainings that state their memory. States leave no gaps:
/// those of runs that differ in nothing but their shards differ by the states alone. XLA holds
/// none.
inline constexpr double kAllocatorShare = 0.35;

/// Assumptions of a prediction between its bounds, which no formula tells: for the
/// reader to see and to change.
template <class R>
struct Assumptions {
  static constexpr const char* kGroup = "assumptions";
  static constexpr const char* kPrefix = "assume.";
  template <class T>
  struct Slot {
    T assumptions;
    static constexpr T Slot::*kMember = &Slot::assumptions;
  };

  RatesFrom rates;
  Count<R> compute_efficiency, memory_efficiency, network_efficiency;  ///< shares of the peak
  /// The part of a transfer that may hide behind computing, if there is enough of it.
  Count<R> overlap_tensor, overlap_context, overlap_expert, overlap_data, overlap_pipeline;
  bool in_network_reduction;
  Count<R> expert_imbalance;  ///< tokens of the fullest expert way over those of the mean
  Quantity<kByte, R> runtime_overhead;
  Count<R> allocator_share;  ///< memory that the allocator holds beyond its tensors, of these
  Count<R> usable_memory;
  Count<R> memory_reserve;  ///< share of the usable memory that choices of a layout leave free
  Quantity<kByte, R> logit_bytes;  ///< bytes of one logit: its copies and their gradient
  Count<R> loss_chunks;
  Quantity<kHour, R> chip_mttf;
  Quantity<kSecond, R> restart_time;
  Quantity<kByte / kSecond / kChip, R> storage_bandwidth;

  static constexpr auto fields() {
    constexpr Range kShare{0, 1};
    constexpr Range kEfficiency{0.01, 1};
    return Fields{
        choice(&Assumptions::rates, "rates", kRatesFromNames).rare().fallback(RatesFrom::kMeasured),
        number(&Assumptions::compute_efficiency, "computeEfficiency", "eta_C", kEfficiency)
            .rare()
            .in_percent()
            .fallback(0.7)
            .when("rates", RatesFrom::kStated),
        number(&Assumptions::memory_efficiency, "memoryEfficiency", "eta_hbm", kEfficiency)
            .rare()
            .in_percent()
            .fallback(0.85)
            .when("rates", RatesFrom::kStated),
        number(&Assumptions::network_efficiency, "networkEfficiency", "eta_net", kEfficiency)
            .rare()
            .in_percent()
            .fallback(0.8)
            .when("rates", RatesFrom::kStated),
        number(&Assumptions::overlap_tensor, "overlapTensor", "o_t", kShare)
            .rare()
            .in_percent()
            .fallback(0)
            .when("rates", RatesFrom::kStated),
        number(&Assumptions::overlap_context, "overlapContext", "o_c", kShare)
            .rare()
            .in_percent()
            .fallback(0)
            .when("rates", RatesFrom::kStated),
        number(&Assumptions::overlap_expert, "overlapExpert", "o_e", kShare)
            .rare()
            .in_percent()
            .fallback(0)
            .when("rates", RatesFrom::kStated),
        number(&Assumptions::overlap_data, "overlapData", "o_d", kShare)
            .rare()
            .in_percent()
            .fallback(1)
            .when("rates", RatesFrom::kStated),
        number(&Assumptions::overlap_pipeline, "overlapPipeline", "o_p", kShare)
            .rare()
            .in_percent()
            .fallback(1)
            .when("rates", RatesFrom::kStated),
        flag(&Assumptions::in_network_reduction, "inNetworkReduction").fallback(0),
        number(&Assumptions::expert_imbalance, "expertImbalance", "f_moe", {1, 1000}).fallback(1),
        number(&Assumptions::runtime_overhead, "runtimeOverhead", "M_runtime", {0, 1e13})
            .rare()
            .fallback(4e9),
        number(&Assumptions::allocator_share, "allocatorShare", "f_alloc", {0, 1})
            .rare()
            .in_percent()
            .fallback(kAllocatorShare),
        number(&Assumptions::usable_memory, "usableMemory", "u_hbm", kEfficiency)
            .in_percent()
            .fallback(0.95),
        number(&Assumptions::memory_reserve, "memoryReserve", "u_free", {0, 1})
            .rare()
            .in_percent()
            .fallback(0),
        number(&Assumptions::logit_bytes, "logitBytes", "s_logit", {0, 64}).rare().fallback(10),
        count(&Assumptions::loss_chunks, "lossChunks", "n_loss", {1, 1e6}).rare().fallback(1),
        number(&Assumptions::chip_mttf, "chipMttf", "MTTF_chip", {1, 1e9})
            .about(Topic::kReliability)
            .fallback(50000),
        number(&Assumptions::restart_time, "restartTime", "t_restart", {0, 1e6})
            .rare()
            .about(Topic::kReliability)
            .fallback(600),
        number(&Assumptions::storage_bandwidth, "storageBandwidth", "W_storage", {1e3, 1e15})
            .rare()
            .about(Topic::kReliability)
            .fallback(1e8),
    };
  }
};

}  // namespace scaling
