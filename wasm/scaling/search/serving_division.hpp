// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "scaling/model/kernels/parts.hpp"
#include "scaling/serving/load.hpp"
#include "scaling/serving/step_memo.hpp"

namespace scaling {

/// The ways that are given; 0 where the search chooses.
struct GivenWays {
  double tensor = 0, data = 0, expert = 0, pipeline = 0;
  double prefill_chips = 0, prefill_tensor = 0, prefill_data = 0, prefill_expert = 0;
  double by_batch = -1;  ///< 0 or 1: whether tensor ways beyond key heads divide the sequences

  /// Whether each is 0 or what its field allows: a search goes through whole numbers.
  bool sound() const;
};

/// Servers larger than this gain nothing that more servers would not give.
inline constexpr double kMostServerChips = 256;
/// Stages of a server at most.
inline constexpr double kMostServerStages = 16;

/// The groups of a search's input, whose ways it changes.
struct AskedServing {
  const Chip<double>& chip;
  const Model<double>& model;
  const Serving<double>& serving;
  const Server<double>& server;
};

/// The most chips of a server: no more than its network joins.
double joined_chips(const Chip<double>& chip);

/// One for all searches, as it is large.
StepMemo& search_memo();

/// A way to divide the chips, and how well it serves the load.
struct ServingDivision {
  double tensor = 1, data = 1, expert = 1, pipeline = 1;
  double prefill_chips = 1, prefill_tensor = 1, prefill_data = 1, prefill_expert = 1;  ///< apart
  bool by_batch = false;
  bool fits = false;      ///< whether it holds the load
  bool keeps_up = false;  ///< whether requests do not pile up
  double excess = 0;      ///< ratio of times to their targets; at most 1 keeps to them
  double speed = 0;       ///< tokens a second, answers of all users
  double answer = 0;      ///< from a request to the last token of its answer [s]
  double weights = 0;     ///< on a chip, apart on the fuller one of both roles [B]

  /// Holding the load counts first, then keeping up with it, then keeping to targets, or coming the
  /// nearest to them, then tokens a second, then how soon an answer is whole; of those that do not
  /// hold it, the weights on a chip.
  bool better_than(const ServingDivision& other) const;
};

/// The best division of the chips for a load.
///
/// Goes through what software runs (see server_layout.hpp): tensor ways that divide the heads, or
/// all where it pads them; of models with experts all data ways of attention and all expert ways
/// that divide tensor times data ways and the experts; 1 to 16 stages; the cache divided by heads,
/// or by sequences beyond them, where tensor ways are more than heads; servers of up to 256 chips,
/// of which there are as many as the chips allow, in sizes that leave none of a node idle
/// (hardware/nodes.hpp), unless tensor ways, data ways or stages are given; all chips may be one
/// server where nobody sells so many. Apart, also tensor, data and expert ways of
/// prefill in one stage, and how many chips prefill: all numbers of up to 64 chips, and 63 steps of
/// more; the cache is divided as the software does. Servers of both roles hold their weights and a
/// sequence.
///
/// A division is served only if bounds leave it a chance: a rank of attention by itself never takes
/// longer than with experts and transfers, and is the same for most ways. Prefill servers count
/// only if no others beat them in time, requests a second, servers and chips at once; of as many
/// tensor and data ways, the fastest expert ways.
class DivisionSearch {
 public:
  DivisionSearch(const ServingInput<double>& in, const GivenWays& given);

  const ServingDivision& best() const { return best_; }
  std::size_t grid() const { return grid_; }            ///< divisions that were gone through
  std::size_t evaluated() const { return evaluated_; }  ///< the divisions of these that were served

 private:
  struct Prefill {
    ServerWays<double> ways;
    double time;         ///< of one prompt [s]
    double weights;      ///< on a chip [B]
    bool holds;          ///< its weights and a prompt
    double rate = 0;     ///< prompts at a time over that time
    double servers = 0;  ///< servers of this kind
  };

  void search_together();
  void search_apart();
  void consider(const ServingDivision& candidate);
  /// Keeps a division with prefill servers of which one holds `candidate`'s load, or `lightest`,
  /// which has the least on a chip, where none does.
  void consider_apart(const ServingDivision& candidate, std::span<const Prefill> prefills,
                      const Prefill& lightest);
  void keep(const ServingDivision& division);
  /// Sets the ways that formulas read.
  void set(const ServingDivision& candidate);
  void serve_now(const ServingDivision& candidate, const LoadChoice& choice);
  /// Whether only a faster division is better than the best one so far.
  bool can_rule_out() const;
  /// The soonest that an answer is whole [s] after a prompt of that time, where requests come at a
  /// rate.
  double soonest_answer(double prompt);
  bool has_no_chance(const LoadChoice& choice);
  bool has_no_chance_apart(const LoadChoice& choice, const Prefill& prefill);

  /// Calls `visit(candidate)` for each division of servers of up to `chips` chips.
  template <class Visit>
  void for_each_division(double chips, double most_stages, const GivenWays& given, Visit visit);

  const ServingInput<double>& in_;
  CompiledModel<double> compiled_{in_.model};
  GivenWays given_;
  Serving<double> serving_;
  Server<double> server_;
  ServingInput<double> asked_;
  WeightBytes<double> weights_;
  ServingDivision best_;
  bool found_ = false;
  std::size_t grid_ = 0, evaluated_ = 0;
};

}  // namespace scaling
