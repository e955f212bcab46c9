// SPDX-License-Identifier: MIT
#include "scaling/questions/collective/question.hpp"

#include "scaling/input/check.hpp"

namespace scaling {

void CollectiveQuestion::check_relations(const Typed<double>& input, Issues& issues,
                                         Issues& notices) {
  const auto& chip = input.chip;
  const auto& mesh = input.mesh;
  const auto& request = input.collective;
  check_mesh(chip, mesh, issues);
  if (chip.network != Network::kTorus) {
    const auto use = switch_use(chip, mesh).domain;
    notice_domains(chip, Mesh<double>::kGroup, "x", use.groups.value(), use.most.value(), notices);
    const bool inside = use.most.value() > 1 && chip.adds_up(true);
    const bool beyond = use.groups.value() > 1 && chip.adds_up(false);
    if (request.kind == CollectiveKind::kAllReduce && request.in_network_reduction && !inside &&
        !beyond) {
      notices.add(IssueCode::kNoSwitchAdds, CollectiveRequest<double>::kGroup,
                  "inNetworkReduction");
    }
  }
  if (request.kind != CollectiveKind::kPointToPoint || chip.network != Network::kTorus) return;
  const auto check_distance = [&](Count<double> distance, const char* key, Count<double> chips) {
    if (distance >= chips) {
      issues.add(IssueCode::kDistanceBeyondAxis, CollectiveRequest<double>::kGroup, key,
                 chips.value() - 1);
    }
  };
  check_distance(request.distance_x, "distanceX", mesh.x);
  check_distance(request.distance_y, "distanceY", mesh.y);
  check_distance(request.distance_z, "distanceZ", mesh.z);
}

}  // namespace scaling
