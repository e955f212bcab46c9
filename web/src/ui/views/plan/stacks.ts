import type { TemplateResult } from 'lit';
import { stackIn, stacks, withStack, type Stack } from '../../../model/stacks.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { softwareChoice } from '../../kit/software-choice.ts';

const called = ({ text }: RenderContext, stack: Stack | undefined): string =>
  stack?.name || text.planner.software[stack ? 'usual' : 'own'];

export const sayStack = (ctx: RenderContext): string =>
  called(ctx, stackIn(ctx.description, ctx.state));

/** Sets the fields of the panel, and those of the layout, to what a software does. */
export const stackChoice = (ctx: RenderContext): TemplateResult =>
  softwareChoice({
    field: 'stack',
    label: ctx.text.planner.software.label,
    all: stacks,
    present: stackIn(ctx.description, ctx.state),
    called: (stack) => called(ctx, stack),
    choose: (stack) => ctx.actions.go(withStack(ctx.description, ctx.state, stack)),
  });
