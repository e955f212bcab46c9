// SPDX-License-Identifier: MIT
//
// A robust fit of the constants of kernel times to measured kernels, one set of constants after the
// other: those of a matmul before those of experts, which take them over.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "errors.hpp"
#include "kernel_chips.hpp"
#include "kernels.hpp"
#include "training_runs.hpp"

namespace scaling::evidence {
namespace {

/// A constant that is fitted, within bounds.
struct Free {
  const char* name;  ///< in shared/efficiency.json
  std::function<double&(KernelRates&)> value;
  double least, most;
};

/// One set of constants, and the rows that it is fitted to.
struct Task {
  ChipGeneration generation;
  std::vector<std::string> chips;
  std::string kind, by;  ///< place in shared/efficiency.json
  std::function<bool(const KernelRow&)> takes;
  std::function<double(const KernelRow&)> weight;
  std::vector<Free> free;
  std::function<void(KernelRates&)> prepare = {};  ///< takes over what earlier tasks found
  std::vector<Free> taken = {};                    ///< these constants
};

struct Sample {
  const KernelRow* row;
  std::size_t chip;
};

/// The chips of a task, with rates of their own to change.
class Model {
 public:
  Model(const Task& task, const std::map<std::string, PricedChip>& chips, const KernelRates& start)
      : task_(task), rates_(start) {
    for (const auto& id : task.chips) chips_.push_back(chips.at(id).chip);
    for (auto& chip : chips_) chip.rates = &rates_;
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  KernelRates& rates() { return rates_; }

  std::vector<double> logs() {
    std::vector<double> result;
    for (const Free& free : task_.free) {
      const double value = std::clamp(free.value(rates_), free.least, free.most);
      result.push_back(std::log(std::max(value, 1e-15)));
    }
    return result;
  }

  void set(const std::vector<double>& logs) {
    for (std::size_t i = 0; i < logs.size(); ++i) {
      const Free& free = task_.free[i];
      free.value(rates_) = std::clamp(std::exp(logs[i]), free.least, free.most);
    }
  }

  double ratio(const Sample& sample) const {
    return predict(chips_[sample.chip], sample.row->kernel).expected.value() / sample.row->measured;
  }

  /// Mean of |ln(predicted / measured)|, where none counts for more than kWorst: rows that no model
  /// of sizes can hold don't decide.
  double loss(const std::vector<Sample>& samples) const {
    constexpr double kWorst = 0.6;
    double sum = 0;
    double weights = 0;
    for (const Sample& sample : samples) {
      const double weight = task_.weight ? task_.weight(*sample.row) : 1;
      const double error = std::abs(std::log(ratio(sample)));
      sum += weight * (error < kWorst ? error : kWorst);
      weights += weight;
    }
    return sum / weights;
  }

 private:
  const Task& task_;
  KernelRates rates_;
  std::vector<KernelChip<double>> chips_;
};

/// Nelder and Mead's simplex, from `start` on.
std::vector<double> minimise(const std::function<double(const std::vector<double>&)>& loss,
                             std::vector<double> start, double width, int evaluations) {
  struct Corner {
    std::vector<double> x;
    double value;
  };
  const std::size_t n = start.size();
  std::vector<Corner> corners{{start, loss(start)}};
  for (std::size_t i = 0; i < n; ++i) {
    auto x = start;
    x[i] += width;
    corners.push_back({x, loss(x)});
  }
  const auto less = [](const Corner& a, const Corner& b) { return a.value < b.value; };
  for (int used = static_cast<int>(n) + 1; used < evaluations;) {
    std::sort(corners.begin(), corners.end(), less);
    if (corners.back().value - corners.front().value < 1e-6) break;
    std::vector<double> centre(n, 0);
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t i = 0; i < n; ++i) centre[i] += corners[c].x[i] / static_cast<double>(n);
    }
    const auto at = [&](double step) {
      Corner corner{centre, 0};
      for (std::size_t i = 0; i < n; ++i) corner.x[i] += step * (corners[n].x[i] - centre[i]);
      corner.value = loss(corner.x);
      ++used;
      return corner;
    };
    auto reflected = at(-1);
    if (less(reflected, corners[0])) {
      auto further = at(-2);
      corners[n] = less(further, reflected) ? further : reflected;
    } else if (less(reflected, corners[n - 1])) {
      corners[n] = reflected;
    } else {
      auto inside = at(less(reflected, corners[n]) ? -0.5 : 0.5);
      if (less(inside, corners[n])) {
        corners[n] = inside;
      } else {
        for (std::size_t c = 1; c <= n; ++c) {
          for (std::size_t i = 0; i < n; ++i) {
            corners[c].x[i] = 0.5 * (corners[c].x[i] + corners[0].x[i]);
          }
          corners[c].value = loss(corners[c].x);
          ++used;
        }
      }
    }
  }
  std::sort(corners.begin(), corners.end(), less);
  return corners[0].x;
}

void fit(Model& model, const std::vector<Sample>& samples, int rounds) {
  auto x = model.logs();
  const auto loss = [&](const std::vector<double>& at) {
    model.set(at);
    return model.loss(samples);
  };
  for (int round = 0; round < rounds; ++round) {
    x = minimise(loss, x, round == 0 ? 0.4 : 0.15, 120 * static_cast<int>(x.size()));
  }
  model.set(x);
}

/// The half of all shapes that a row is in: rows that differ only in time stay together.
bool second_half(const KernelRow& row) {
  // The floor of a chip of round figures tells shapes apart as well as any hash of theirs.
  const auto mixed = static_cast<std::uint64_t>(row.row * 2654435761U);
  return ((mixed >> 7) & 1) != 0;
}

void print(const char* title, const std::vector<double>& ratios) {
  std::vector<double> errors(ratios.size());
  std::transform(ratios.begin(), ratios.end(), errors.begin(),
                 [](double ratio) { return 100 * std::abs(ratio - 1); });
  std::printf("    %-22s %6zu rows %6.1f / %5.1f %%  bias %+.1f\n", title, ratios.size(),
              quantile(errors, 0.5), quantile(errors, 0.9), 100 * (quantile(ratios, 0.5) - 1));
}

// The constants that are fitted.

template <class Kernel>
const Kernel* as_kernel(const KernelRow& row) {
  return std::get_if<Kernel>(&row.kernel);
}

constexpr double kTimeLeast = 1e-12;
constexpr double kTimeMost = 1e-3;

std::vector<Task> tasks(const std::map<std::string, PricedChip>& known) {
  using G = ChipGeneration;
  const std::vector<std::pair<G, std::vector<std::string>>> fitted = {
      {G::kAmpere, {"a100-sxm-80gb"}},
      {G::kAda, {"l40s"}},
      {G::kHopper, {"h100-sxm"}},
      {G::kBlackwell, {"b200-sxm", "gb200-nvl72"}},
      {G::kBlackwellUltra, {"b300-sxm"}}};
  std::vector<Task> all;
  const auto time = [](const char* name, auto value) {
    return Free{name, value, kTimeLeast, kTimeMost};
  };
  const auto share = [](const char* name, auto value, double most = 1) {
    return Free{name, value, 0.02, most};
  };
  const auto rate = [](const char* name, auto value) { return Free{name, value, 1e9, 1e12}; };
  for (const auto& [generation, chips] : fitted) {
    const bool ada = generation == G::kAda;
    // L2 gives a core at least its share of what the memory does.
    double slowest = 0;
    for (const auto& id : chips) {
      const auto& chip = known.at(id).chip;
      slowest = std::max(slowest, (chip.memory / chip.cores).value());
    }
    const auto cached = [slowest](const char* name, auto value) {
      return Free{name, value, slowest, 1e12};
    };
    for (std::size_t f = 0; f < kKernelFormats; ++f) {
      const auto member = [f](Constant MatmulRates::*m) {
        return [f, m](KernelRates& r) -> double& { return (r.matmul[f].*m).value; };
      };
      Task task{.generation = generation,
                .chips = chips,
                .kind = "matmul",
                .by = kKernelFormatNames[f],
                .takes =
                    [f](const KernelRow& row) {
                      const auto* kernel = as_kernel<MatmulKernel<double>>(row);
                      return kernel != nullptr && static_cast<std::size_t>(kernel->format) == f &&
                             kernel->shape.weight_format == kernel->shape.activation_format;
                    },
                .weight = {},
                .free = {share("efficiency", member(&MatmulRates::efficiency)),
                         time("tile", member(&MatmulRates::tile)),
                         Free{"throttle", member(&MatmulRates::throttle), 1e-3, 1}}};
      if (f == 0) {
        task.free.push_back(time("start", member(&MatmulRates::start)));
        task.free.push_back(rate("feed", member(&MatmulRates::feed)));
        task.free.push_back(share("memory", member(&MatmulRates::memory)));
        if (generation != G::kAmpere) {
          task.free.push_back(cached("cache", member(&MatmulRates::cache)));
        }
      } else {
        task.free.push_back(share("quantise", member(&MatmulRates::quantise), ada ? 2 : 1));
        task.free.push_back(time("quantiseStart", member(&MatmulRates::quantise_start)));
        task.prepare = [f](KernelRates& r) {
          r.matmul[f].start = r.matmul[0].start;
          r.matmul[f].memory = r.matmul[0].memory;
          r.matmul[f].cache = r.matmul[0].cache;
          r.matmul[f].feed = r.matmul[0].feed;
        };
        task.taken = {time("start", member(&MatmulRates::start)),
                      share("memory", member(&MatmulRates::memory)),
                      cached("cache", member(&MatmulRates::cache))};
        auto& feeds = f >= 2 ? task.free : task.taken;
        feeds.push_back(rate("feed", member(&MatmulRates::feed)));
      }
      task.free.push_back({"step", member(&MatmulRates::step), 1e-12, 1e-8});
      all.push_back(std::move(task));
    }
    for (std::size_t f = 0; f < kKernelFormats; ++f) {
      const auto member = [f](Constant ExpertsRates::*m) {
        return [f, m](KernelRates& r) -> double& { return (r.experts[f].*m).value; };
      };
      all.push_back({.generation = generation,
                     .chips = chips,
                     .kind = "experts",
                     .by = kKernelFormatNames[f],
                     .takes =
                         [f](const KernelRow& row) {
                           const auto* experts = as_kernel<MeasuredExperts>(row);
                           return experts != nullptr &&
                                  static_cast<std::size_t>(experts->kernel.format) == f &&
                                  (experts->kernel.weight_format == Format::kFp4) == (f == 3);
                         },
                     .weight = {},
                     .free = {time("start", member(&ExpertsRates::start)),
                              share("efficiency", member(&ExpertsRates::efficiency)),
                              time("tile", member(&ExpertsRates::tile)),
                              share("permute", member(&ExpertsRates::permute), ada ? 4 : 1),
                              time("perToken", member(&ExpertsRates::per_token)),
                              time("perExpert", member(&ExpertsRates::per_expert))}});
    }
    for (std::size_t c = 0; c < kCacheFormats; ++c) {
      const auto format = c == 0 ? CacheFormat::kBf16 : CacheFormat::kFp8;
      const auto of_prefill = [c](Constant PrefillRates::*m) {
        return [c, m](KernelRates& r) -> double& { return (r.prefill[c].*m).value; };
      };
      const auto of_decode = [c](Constant DecodeRates::*m) {
        return [c, m](KernelRates& r) -> double& { return (r.decode[c].*m).value; };
      };
      const auto of_latent = [c](Constant LatentPrefillRates::*m) {
        return [c, m](KernelRates& r) -> double& { return (r.latent_prefill[c].*m).value; };
      };
      const auto of_latent_decode = [c](Constant LatentDecodeRates::*m) {
        return [c, m](KernelRates& r) -> double& { return (r.latent_decode[c].*m).value; };
      };
      const auto add = [&, &generation = generation, &chips = chips](const char* kind, auto takes,
                                                                     std::vector<Free> free) {
        all.push_back({generation, chips, kind, kCacheFormatNames[c], takes, {}, free, {}});
      };
      std::vector<Free> decode{time("start", of_decode(&DecodeRates::start)),
                               time("block", of_decode(&DecodeRates::block)),
                               rate("feed", of_decode(&DecodeRates::feed)),
                               time("split", of_decode(&DecodeRates::split))};
      if (generation != G::kAmpere && !(ada && c == 1)) {
        decode.push_back(cached("cache", of_decode(&DecodeRates::cache)));
      }
      add(
          "decode",
          [format](const KernelRow& row) {
            const auto* kernel = as_kernel<DecodeKernel<double>>(row);
            return kernel != nullptr && kernel->cache == format;
          },
          decode);
      add("prefill",
          [format](const KernelRow& row) {
            const auto* kernel = as_kernel<PrefillKernel<double>>(row);
            return kernel != nullptr && kernel->cache == format && kernel->queries.value() > 1;
          },
          {time("start", of_prefill(&PrefillRates::start)),
           share("efficiency", of_prefill(&PrefillRates::efficiency), c == 0 ? 1 : 2),
           time("score", of_prefill(&PrefillRates::score)),
           time("block", of_prefill(&PrefillRates::block)),
           share("tail", of_prefill(&PrefillRates::tail), 3),
           time("write", of_prefill(&PrefillRates::write))});
      add("latentPrefill",
          [format](const KernelRow& row) {
            const auto* kernel = as_kernel<LatentPrefillKernel<double>>(row);
            return kernel != nullptr && kernel->cache == format;
          },
          {time("start", of_latent(&LatentPrefillRates::start)),
           share("efficiency", of_latent(&LatentPrefillRates::efficiency), c == 0 ? 1 : 2),
           time("block", of_latent(&LatentPrefillRates::block)),
           share("tail", of_latent(&LatentPrefillRates::tail), 3),
           time("write", of_latent(&LatentPrefillRates::write)),
           time("writeLatent", of_latent(&LatentPrefillRates::write_latent))});
      std::vector<Free> latent{
          time("start", of_latent_decode(&LatentDecodeRates::start)),
          time("block", of_latent_decode(&LatentDecodeRates::block)),
          rate("feed", of_latent_decode(&LatentDecodeRates::feed)),
          share("efficiency", of_latent_decode(&LatentDecodeRates::efficiency)),
          cached("cache", of_latent_decode(&LatentDecodeRates::cache))};
      if (generation == G::kAmpere || ada) {
        latent.push_back(share("memory", of_latent_decode(&LatentDecodeRates::memory)));
      } else {
        latent.push_back(time("split", of_latent_decode(&LatentDecodeRates::split)));
      }
      add(
          "latentDecode",
          [format](const KernelRow& row) {
            const auto* kernel = as_kernel<LatentDecodeKernel<double>>(row);
            return kernel != nullptr && kernel->cache == format;
          },
          latent);
    }
    const auto of_collective = [](Constant CollectiveRates::*m) {
      return [m](KernelRates& r) -> double& { return (r.collective.*m).value; };
    };
    const auto of_small = [](Constant SmallAllReduceRates::*m) {
      return [m](KernelRates& r) -> double& { return (r.small_all_reduce.*m).value; };
    };
    std::vector<Free> collective{
        time("start", of_collective(&CollectiveRates::start)),
        time("allToAllStart", of_collective(&CollectiveRates::all_to_all_start)),
        time("step", of_collective(&CollectiveRates::step)),
        share("gather", of_collective(&CollectiveRates::gather)),
        share("reduce", of_collective(&CollectiveRates::reduce)),
        share("allToAll", of_collective(&CollectiveRates::all_to_all)),
        time("pipeline", of_collective(&CollectiveRates::pipeline)),
        time("largePipeline", of_collective(&CollectiveRates::large_pipeline))};
    if (generation == G::kHopper || generation == G::kBlackwellUltra ||
        generation == G::kBlackwell) {
      collective.push_back({"inNetwork", of_collective(&CollectiveRates::in_network), 1, 2});
      collective.push_back(
          time("inNetworkStart", of_collective(&CollectiveRates::in_network_start)));
    }
    all.push_back({generation,
                   chips,
                   "collective",
                   "",
                   [](const KernelRow& row) {
                     const auto* kernel = as_kernel<CollectiveKernel<double>>(row);
                     return kernel != nullptr && !kernel->small && row.format == "half";
                   },
                   // Latency alone is another matter: it would outweigh what bytes take.
                   [](const KernelRow& row) {
                     return as_kernel<CollectiveKernel<double>>(row)->bytes.value() < 32768 ? 0.2
                                                                                            : 1;
                   },
                   collective,
                   {}});
    all.push_back({generation,
                   chips,
                   "smallAllReduce",
                   "",
                   [](const KernelRow& row) {
                     const auto* kernel = as_kernel<CollectiveKernel<double>>(row);
                     return kernel != nullptr && kernel->small;
                   },
                   {},
                   {time("start", of_small(&SmallAllReduceRates::start)),
                    time("step", of_small(&SmallAllReduceRates::step)),
                    share("bandwidth", of_small(&SmallAllReduceRates::bandwidth)),
                    time("second", of_small(&SmallAllReduceRates::second))},
                   [](KernelRates& r) {
                     auto& rates = r.small_all_reduce;
                     if (rates.bandwidth > 0) return;
                     rates.start = 4e-6;
                     rates.step = 1e-7;
                     rates.bandwidth = 0.5;
                     rates.second = 1e-5;
                   }});
    for (std::size_t s = 1; s < kStreamKernels; ++s) {
      const auto kind = static_cast<StreamKernel>(s);
      const auto member = [s](Constant StreamRates::*m) {
        return [s, m](KernelRates& r) -> double& { return (r.stream[s].*m).value; };
      };
      std::vector<Free> free{time("start", member(&StreamRates::start))};
      free.push_back({"feed", member(&StreamRates::feed), 1e8, 1e12});
      if (kind == StreamKernel::kDeltaChunked || kind == StreamKernel::kKimiChunked) {
        free.push_back(time("chunk", member(&StreamRates::chunk)));
      } else if (kind == StreamKernel::kQuantiseScale || kind == StreamKernel::kDeltaRecurrent ||
                 kind == StreamKernel::kKimiRecurrent) {
        free.push_back(share("memory", member(&StreamRates::memory)));
      }
      if (kind == StreamKernel::kDeltaConvolution || kind == StreamKernel::kMambaConvolution ||
          kind == StreamKernel::kKimiConvolution) {
        free.push_back({"perRow", member(&StreamRates::per_row), 1e-15, 1e-6});
      }
      all.push_back({generation,
                     chips,
                     "stream",
                     kStreamKernelNames[s],
                     [kind](const KernelRow& row) {
                       const auto* kernel = as_kernel<StreamingKernel<double>>(row);
                       return kernel != nullptr && kernel->kind == kind;
                     },
                     {},
                     free,
                     {}});
    }
  }
  return all;
}

double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return std::strtod(text, nullptr);
}

}  // namespace

int fit_kernels(const std::string& shared, const std::string& folder, const std::string& out) {
  std::string error;
  const auto tables = tables_of(folder, error);
  const auto chips = read_kernel_chips(shared, error);
  if (!error.empty()) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 1;
  }
  const ChipSource source = [&](const std::string& id, std::string& why) {
    const auto found = chips.find(id);
    if (found == chips.end()) why = "chip is not known";
    return found == chips.end() ? nullptr : &found->second.chip;
  };
  // Small all-reduces are refused where there are no constants of them yet.
  std::map<std::string, std::vector<KernelRow>> rows;
  for (const auto& table : tables) {
    read_kernel_rows(table, source, [&](KernelRow&& row) {
      const bool unfitted = row.reason == "the chip has no such kernel";
      if (row.reason.empty() || unfitted) rows[row.chip].push_back(std::move(row));
    });
  }
  std::map<ChipGeneration, KernelRates> rates;
  Json result;
  for (const Task& task : tasks(chips)) {
    const auto start = rates.try_emplace(task.generation, kernel_rates(task.generation)).first;
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < task.chips.size(); ++i) {
      for (const KernelRow& row : rows[task.chips[i]]) {
        if (task.takes(row)) samples.push_back({&row, i});
      }
    }
    if (samples.size() < 12) continue;
    if (task.prepare) task.prepare(start->second);
    Model model(task, chips, start->second);
    fit(model, samples, 5);
    for (const Free& free : task.free)
      free.value(model.rates()) = rounded(free.value(model.rates()));
    const char* generation = kChipGenerationNames[static_cast<std::size_t>(task.generation)];
    std::printf("%s %s %s: loss %.4f;", generation, task.kind.c_str(), task.by.c_str(),
                model.loss(samples));
    Json values;
    for (const Free& each : task.taken) values[each.name] = each.value(model.rates());
    for (const Free& free : task.free) {
      values[free.name] = free.value(model.rates());
      std::printf(" %s %.3g", free.name, free.value(model.rates()));
    }
    std::printf("\n");
    for (std::size_t i = 0; i < task.chips.size(); ++i) {
      std::vector<double> ratios;
      for (const Sample& sample : samples) {
        if (sample.chip == i) ratios.push_back(model.ratio(sample));
      }
      print(task.chips[i].c_str(), ratios);
    }
    start->second = model.rates();

    std::vector<double> left_out;
    for (const bool half : {false, true}) {
      std::vector<Sample> rest;
      for (const Sample& sample : samples) {
        if (second_half(*sample.row) != half) rest.push_back(sample);
      }
      Model other(task, chips, start->second);
      fit(other, rest, 1);
      for (const Sample& sample : samples) {
        if (second_half(*sample.row) == half) left_out.push_back(other.ratio(sample));
      }
    }
    print("fitted on other half", left_out);
    if (task.chips.size() > 1) {
      std::vector<double> transferred;
      for (std::size_t i = 0; i < task.chips.size(); ++i) {
        std::vector<Sample> rest;
        for (const Sample& sample : samples) {
          if (sample.chip != i) rest.push_back(sample);
        }
        Model other(task, chips, start->second);
        fit(other, rest, 1);
        for (const Sample& sample : samples) {
          if (sample.chip == i) transferred.push_back(other.ratio(sample));
        }
      }
      print("fitted on other chip", transferred);
    }
    std::fflush(stdout);
    auto& place =
        task.by.empty() ? result[generation][task.kind] : result[generation][task.kind][task.by];
    place = {{"measurements", samples.size()}, {"values", values}};
  }
  if (!out.empty()) {
    std::ofstream stream(out);
    stream << result.dump(1) << "\n";
    if (!stream) return 1;
  }
  return 0;
}

}  // namespace scaling::evidence
