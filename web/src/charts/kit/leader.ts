import { nothing, svg, type TemplateResult } from 'lit';
import type { Candidate } from './labels.ts';
import { px } from './shape.ts';

/** The line that leads to a label which had to move. All of them are drawn before all labels, so
 * that none strikes a label through. */
export function leaderTo(at: Candidate | undefined): TemplateResult | typeof nothing {
  if (!at?.leader) return nothing;
  const { from, to } = at.leader;
  return svg`<line class="leader" x1=${px(from.x)} y1=${px(from.y)} x2=${px(to.x)} y2=${px(to.y)} />`;
}
