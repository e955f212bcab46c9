import type { TemplateResult } from 'lit';
import { serverIn, servers, withServer, type ServerPreset } from '../../../model/servers.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { softwareChoice } from '../../kit/software-choice.ts';

const called = ({ text }: RenderContext, preset: ServerPreset | undefined): string =>
  preset?.name || text.served.software[preset ? 'usual' : 'own'];

export const saySoftware = (ctx: RenderContext): string =>
  called(ctx, serverIn(ctx.description, ctx.state));

/** Sets the fields that software decides to what a listed one does. */
export const serverChoice = (ctx: RenderContext): TemplateResult =>
  softwareChoice({
    field: 'software',
    label: ctx.text.served.software.label,
    all: servers,
    present: serverIn(ctx.description, ctx.state),
    called: (preset) => called(ctx, preset),
    choose: (preset) => ctx.actions.go(withServer(ctx.description, ctx.state, preset)),
  });
