// SPDX-License-Identifier: MIT
#include "scaling/questions/plan/question.hpp"

#include "scaling/input/check.hpp"

namespace scaling {
namespace {

void notice_plan(const SearchInput<double>& in, Issues& notices) {
  const double replicas = in.run.chips.value() / in.layout.model_ways().value();
  const double sequences = in.run.batch_tokens.value() / in.run.sequence_length.value();
  if (!in.chip.vector_rate().present()) {
    notices.add(IssueCode::kVectorWorkNotCounted, Chip<double>::kGroup, "peakVector");
  }
  const double slices = in.run.slices.value();
  const Placements placements(in.chip, in.layout, in.run.chips.value() / slices, slices,
                              in.model.sparse());
  if (!placements.complete()) {
    notices.add(IssueCode::kPlacementsLeftOut, Layout<double>::kGroup, "tensor");
  }
  if (in.chip.network != Network::kTorus) {
    const DomainUse& use = placements.items()[0].domains;
    notice_domains(in.chip, Run<double>::kGroup, "chips", use.domains, use.used, notices);
  }
  if (replicas > sequences) {
    notices.add(IssueCode::kIdleReplicas, Layout<double>::kGroup, "tensor", replicas, sequences);
  }
}

/// A share that an answer gives; 0 where it has none.
double share_of(const Maybe<Count<double>>& answer) {
  return answer.present() ? answer.value.value() : 0;
}

}  // namespace

void PlanQuestion::check_relations(const Typed<double>& input, Issues& issues, Issues& notices) {
  check_machine(input, issues);
  if (issues.empty()) check_ways(input, issues);
  if (!issues.empty()) return;
  notice_run(input.model, input.run, notices);
  notice_plan(input, notices);
}

void PlanQuestion::check_answers(const Answers<double>& answers, Issues& notices) {
  const double mfu = share_of(answers.get<term::kMfu>());
  if (mfu <= 1) return;
  notices.add(IssueCode::kFlopsOvercounted, Run<double>::kGroup, "flopsRule", mfu,
              share_of(answers.get<term::kMfuExact>()));
}

}  // namespace scaling
