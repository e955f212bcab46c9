// Answers links by the page's own parts: what stands here is what stands there.

import type { WholeDescription } from '../engine/described.ts';
import { createEngine, type Engine, type Explanation, type Issue } from '../engine/index.ts';
import { loadDictionary, loadPart, type Dictionary } from '../i18n/dictionary.ts';
import type { Language } from '../i18n/language.ts';
import { inWords } from '../library/describe.ts';
import { readAddress, writeAddress, type Problem } from '../link/address.ts';
import { meantBy } from '../link/meant.ts';
import { readLaunch, software, type Launch } from '../launch/read.ts';
import { fieldsOf, givenOf, stateOf } from '../launch/state.ts';
import type { SoftwareId } from '../launch/software.ts';
import { refusalsOf, writeLaunch, type Written } from '../launch/write.ts';
import { evaluate, explain, makeFinder, type Reply } from '../model/evaluate.ts';
import { has } from '../model/own-value.ts';
import { pagePresets } from '../model/page-presets.ts';
import { initialState, type State } from '../model/state.ts';
import { textsOf } from '../model/views.ts';
import { Formatter } from '../number/format.ts';
import { sayProblem } from '../ui/kit/link-problem.ts';
import { RenderContext, type Actions, type Features } from '../ui/kit/render-context.ts';
import { refusal, type Says } from '../ui/features/custom/words.ts';
import { Results } from '../ui/kit/results.ts';
import { pageViews } from '../ui/views/registry.ts';

/** A link's question, with its answer in words and numbers. */
export interface Answered {
  ctx: RenderContext;
  reply: Reply;
  results: Results;
  link: string;
}

/** A launch, with what says it in words. */
export interface ReadLaunch {
  launch: Launch;
  says: Says;
  software: string;
  link: string;
  /** What the software refuses of it, in its own words. */
  refusals: string[];
}

/** Texts have the page's questions and presets, and nothing that is drawn. */
const features: Features = { views: pageViews, presets: pagePresets };

/** Parts of a link that can't be read, as sentences. */
export class Unreadable extends Error {}

export class Asking {
  private constructor(
    readonly engine: Engine,
    readonly language: Language,
  ) {}

  /** Starts the engine with all questions and presets. */
  static async start(language: Language): Promise<Asking> {
    const engine = await createEngine();
    await features.presets.more.get();
    await Promise.all([...features.views.values()].map((view) => view.get()));
    return new Asking(engine, language);
  }

  /** Answers what follows # in a link. Throws `Unreadable` where it can't be read. */
  async answer(link: string): Promise<Answered> {
    const { state, problems } = readAddress(this.engine.describe(), link);
    if (problems.length > 0) throw new Unreadable(await this.say(problems));
    const found = await this.complete(state);
    const text = await loadDictionary(this.language, textsOf(found.view));
    const reply = evaluate(this.engine, found);
    const ctx = this.contextOf(text, found, reply.ok ? reply : { issues: reply.issues });
    const results = new Results(ctx, reply.ok ? reply.answers : {}, new Map(), false, false);
    return { ctx, reply, results, link: writeAddress(this.engine.describe(), found) };
  }

  /** What a command, a script or settings ask, beside what a link says; undefined where the text is no
   *  launch. */
  async readLaunch(text: string, link: string): Promise<ReadLaunch | undefined> {
    await Promise.all([this.engine.planner(), this.engine.serving()]);
    const description = this.engine.describe();
    const { state: before, problems } = readAddress(description, link);
    if (problems.length > 0) throw new Unreadable(await this.say(problems));
    const launch = await readLaunch(description, text, fieldsOf(this.engine, before));
    if (!launch) return undefined;
    const ctx = this.contextOf(await loadDictionary(this.language), before);
    const says: Says = { own: await loadPart(this.language, 'own'), ctx };
    if (!has(launch, 'fields')) throw new Unreadable(refusal(says, launch));
    const state = stateOf(description, before, launch);
    return {
      launch,
      says,
      software: software[launch.software].name,
      link: writeAddress(description, state),
      refusals: refusalsOf(launch.software, fieldsOf(this.engine, state)).map(({ says }) => says),
    };
  }

  /** An answered question as a launch of some software. */
  writeLaunch(id: SoftwareId, { ctx, reply }: Answered): Promise<Written> {
    const given = givenOf(this.engine, ctx.state, reply.ok ? reply.answers : {});
    return writeLaunch(this.engine.describe(), id, given);
  }

  /** The derivation of an answer. */
  async explain(state: State, answer: string): Promise<Explanation> {
    await this.engine.derivations();
    return explain(this.engine, state, answer);
  }

  /** All questions with their fields and answers, in words. */
  describe(): WholeDescription {
    return inWords(this.engine.describe(), this.language);
  }

  /** What says fields and values where no question is answered yet. */
  async words(): Promise<RenderContext> {
    return this.contextOf(await loadDictionary(this.language), initialState);
  }

  /** The texts in which a model's file is spoken of. */
  async ofFiles(): Promise<Says> {
    return { own: await loadPart(this.language, 'own'), ctx: await this.words() };
  }

  /** The words of the formats in which answers are handed out. */
  async exportWords() {
    return (await loadPart(this.language, 'share')).words;
  }

  /** The words of launches. */
  launchWords() {
    return loadPart(this.language, 'share');
  }

  /** The texts of derivations: sources and constants. */
  sourceTexts(): Promise<NonNullable<Dictionary['sources']>> {
    return loadPart(this.language, 'sources');
  }

  /** The state with what it leaves to a search. */
  private complete(state: State): Promise<State> {
    return new Promise((resolve) => {
      const told = (): void => {
        const found = finder.complete(state);
        if (!found) return;
        finder.stop();
        resolve(found);
      };
      const finder = makeFinder(this.engine, features.views, told);
      told();
    });
  }

  private async say(problems: readonly Problem[]): Promise<string> {
    const ctx = await this.words();
    return problems
      .map((problem) => {
        const meant = meantBy(this.engine.describe(), problem);
        const said = sayProblem(ctx, problem);
        return meant ? `${said} (${meant.join('=')}?)` : said;
      })
      .join('\n');
  }

  /** The context in which parts of the page write words; nobody acts on a text. */
  private contextOf(
    text: Dictionary,
    state: State,
    { issues = [], notices = [] }: { issues?: readonly Issue[]; notices?: readonly Issue[] } = {},
  ): RenderContext {
    const { engine, language } = this;
    return new RenderContext({
      language,
      text,
      format: new Formatter(language, text.units),
      engine,
      features,
      state,
      issues,
      notices,
      open: new Set(),
      actions: {} as Actions,
    });
  }
}
