// Answers as agents read them: the first ones in a few lines, all of them as data.

import { Unreadable, type Answered, type Asking } from '../asking/asking.ts';
import { everything } from '../export/data.ts';
import { caption, type Shared } from '../export/shared.ts';
import { linkTo } from '../export/address.ts';
import { sourceOf } from '../model/sources.ts';
import type { Question } from '../model/views.ts';
import { gather } from '../ui/features/export/gather.ts';
import { InputReader, Wrong } from './input.ts';

export interface Told {
  [more: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** Spaces that no line breaks at are only in the way of programs. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

export const told = (text: string, data?: Record<string, unknown>): Told => ({
  content: [{ type: 'text', text: plain(text) }],
  ...(data && { structuredContent: data }),
});

export const refused = (text: string): Told => ({ ...told(text), isError: true });

/** Answers an input of a question; `page` is where the page lies. What is wrong with it is the reply. */
export async function reply(
  asking: Asking,
  question: Question,
  input: unknown,
  page: string,
): Promise<Told> {
  try {
    const link = new InputReader(await asking.words()).link(question, input);
    const asked = await asking.answer(link);
    const { ctx } = asked;
    if (!asked.reply.ok) {
      return refused(
        ctx.issues.map((issue) => `${issue.field}: ${ctx.issueMessage(issue)}`).join('\n'),
      );
    }
    const shared = { ...gather(ctx, await asking.exportWords()), address: page };
    ctx.text.sources = await asking.sourceTexts();
    const notices = asked.reply.notices.map((notice) => ctx.issueMessage(notice));
    return told(lines(asking, shared, asked, notices), {
      ...everything(shared),
      ranges: rangesOf(shared, asked),
      notices,
      sources: sourcesOf(shared, asked),
    });
  } catch (error) {
    if (error instanceof Wrong || error instanceof Unreadable) return refused(error.message);
    throw error;
  }
}

/** The question, the answers that most readers want with their likely ranges, notices, the link. */
function lines(
  asking: Asking,
  shared: Shared,
  { ctx, results }: Answered,
  notices: readonly string[],
): string {
  const { answers, first } = asking.describe().questions[ctx.state.view];
  const rows = first
    .filter((key) => shared.answers.some((each) => each.key === key))
    .map((key) => {
      const name = answers.find((each) => each.key === key)!.name;
      const said = results.sayRange(key);
      const likely = said ? ` (${ctx.fill(ctx.text.drawn.interval, { range: said })})` : '';
      return `- ${name} [${key}]: ${results.say(key)}${likely}`;
    });
  return [
    caption(shared),
    '',
    ...rows,
    '',
    ...notices.flatMap((notice) => [notice, '']),
    linkTo(shared.address, shared.link),
  ].join('\n');
}

/** The ranges in which 9 of 10 measurements lie. */
function rangesOf(shared: Shared, { results }: Answered): Record<string, object> {
  return Object.fromEntries(
    shared.answers.flatMap(({ key }) => {
      const [low, high] = results.range(key) ?? [];
      return low === undefined ? [] : [[key, { low, high }]];
    }),
  );
}

interface Sourced {
  title: string;
  url?: string;
  answers: string[];
}

/** The sources of the rules that give the answers, each with these. */
function sourcesOf(shared: Shared, { ctx }: Answered): Record<string, Sourced> {
  const sources: Record<string, Sourced> = {};
  const told = new Set(shared.answers.map(({ key }) => key));
  for (const { key, source } of ctx.description.questions[ctx.state.view].answers) {
    if (!told.has(key)) continue;
    const { title = source, url } = sourceOf(source, ctx.text) ?? {};
    sources[source] ??= { title, ...(url !== undefined && { url }), answers: [] };
    sources[source].answers.push(key);
  }
  return sources;
}
