// The command line: asks a question by the words of links, or explains one of its answers.

import './surroundings.ts';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import { version } from 'virtual:version';
import { readConfigFile } from '../custom/config.ts';
import { ggufBytes } from '../custom/gguf-file.ts';
import { csv, json } from '../export/data.ts';
import type { Shared } from '../export/shared.ts';
import { markdown } from '../export/tables.ts';
import { languages, type Language } from '../i18n/language.ts';
import type { DescribedField, WholeDescription } from '../engine/described.ts';
import type { FieldInfo, GroupName } from '../engine/index.ts';
import { FieldLinks } from '../link/field-links.ts';
import { linkOf, sayCounting } from '../link/questions.ts';
import { Missing, serve } from '../mcp/server.ts';
import type { FieldId } from '../model/fields.ts';
import { own, presetIds } from '../model/presets.ts';
import { countings, initialState } from '../model/state.ts';
import { questions, views, type Question } from '../model/views.ts';
import { problemOf, reasonOf, refusal } from '../ui/features/custom/words.ts';
import { gather } from '../ui/features/export/gather.ts';
import { Asking, Unreadable, type Answered } from '../asking/asking.ts';
import { derivationText } from './derivation-text.ts';
import { softwareFor } from '../launch/write.ts';
import type { LauncherId } from '../launch/software.ts';
import { lossText, readingText, refusedText } from './launches.ts';
import { table } from './table.ts';

/** Exit codes: the question was answered; it can't be; the command line is wrong. */
const answered = 0;
const unanswerable = 1;
const misused = 2;

/** Columns of a terminal that does not tell. */
const usualColumns = 100;

/** Spaces that no line breaks at are found by no search for words. */
const spaced = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

const formats: Record<string, (shared: Shared, asked: Answered) => string> = {
  table: (shared, asked) => spaced(table(shared, asked, process.stdout.columns ?? usualColumns)),
  json: (shared) => json(shared),
  markdown: (shared) => markdown(shared),
  csv: (shared) => csv(shared),
};

interface Options {
  format: string;
  lang: Language;
  page: string;
  chip?: string;
  model?: string;
  counting?: string;
  from?: string;
  as?: LauncherId;
}

/** Gives the part behind # of an address, or the text itself. */
const hashOf = (text: string): string => text.replace(/^[^#?]*[#?](?=.*=)/, '');

/** Ends the command with a code and a message. `process.exit` would cut off what a pipe has not
 * taken yet. */
class Ended extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function fail(code: number, message: string): never {
  throw new Ended(code, message);
}

/** Says what is wrong with the input. */
function failWith({ ctx }: Answered): never {
  fail(unanswerable, ctx.issues.map((issue) => ctx.issueMessage(issue)).join('\n'));
}

async function print(asking: Asking, link: string, options: Options): Promise<void> {
  const asked = await asking.answer(link);
  const { ctx, reply } = asked;
  if (!reply.ok) failWith(asked);
  if (options.as) {
    await printLaunch(asking, asked, options.as);
    return;
  }
  const shared = { ...gather(ctx, await asking.exportWords()), address: options.page };
  process.stdout.write(formats[options.format]!(shared, asked));
}

/** Prints the layout as a launch; what the software refuses, or has no word for, goes to stderr. */
async function printLaunch(asking: Asking, asked: Answered, id: LauncherId): Promise<void> {
  const written = await asking.writeLaunch(id, asked);
  const texts = await asking.launchWords();
  const software = texts.formats[id];
  if (written.refusals.length > 0) {
    const words = written.refusals.map(({ says }) => says);
    fail(unanswerable, refusedText(asked.ctx, texts.launch.refuses, software, words));
  }
  process.stderr.write(spaced(lossText(asked.ctx, texts, software, written)));
  process.stdout.write(written.text);
}

/** The link of a launch that stands in a file or on the command line. */
async function launchLink(
  asking: Asking,
  question: Question,
  from: string,
  link: string,
): Promise<string> {
  const text = existsSync(from) ? readFileSync(from, 'utf8') : from;
  const read = await asking.readLaunch(text, link);
  if (!read)
    return fail(unanswerable, `${from.slice(0, 80)}: no launch of any software that is known here`);
  if (read.launch.question !== question) {
    fail(misused, `this is for “${read.launch.question}”, not for “${question}”`);
  }
  process.stderr.write(spaced(readingText(read)));
  if (read.refusals.length > 0) fail(unanswerable, '');
  return read.link;
}

async function explain(asking: Asking, link: string, answer: string | undefined): Promise<void> {
  const asked = await asking.answer(link);
  const { ctx, reply } = asked;
  if (!reply.ok) failWith(asked);
  const { answers, first } = asking.describe().questions[ctx.state.view];
  if (answer === undefined || !answers.some(({ key }) => key === answer)) {
    const wrong = answer === undefined ? '' : `there is no answer “${answer}”\n`;
    const sorted = [
      ...first.map((key) => answers.find((each) => each.key === key)!),
      ...answers.filter(({ key }) => !first.includes(key)),
    ];
    const listed = sorted.map(({ key, name, sentence }) => `${key}: ${name}. ${sentence}`);
    fail(misused, `${wrong}answers:\n${listed.join('\n')}`);
  }
  const explanation = await asking.explain(ctx.state, answer!);
  ctx.text.sources = await asking.sourceTexts();
  process.stdout.write(spaced(derivationText(ctx, explanation)));
}

/** The pairs of a link that a model's config.json stands for; what it had to assume goes to stderr. */
async function modelPairs(asking: Asking, file: string): Promise<[string, string][]> {
  const links = FieldLinks.of(asking.engine.describe());
  const says = await asking.ofFiles();
  const reading = readModel(asking, file);
  if (!reading.ok) return fail(unanswerable, `${file}: ${refusal(says, reading.reason)}`);
  const { problems, assumptions, model, name } = reading;
  if (problems.length > 0) {
    const said = problems.map((problem) => problemOf(says, problem, model));
    return fail(unanswerable, `${file}: ${said.join('\n')}`);
  }
  for (const assumption of assumptions) {
    const id: FieldId = `model.${assumption.field}`;
    const value = says.ctx.say(id, assumption.value);
    const reason = reasonOf(says, assumption, reading);
    process.stderr.write(`${file}: ${says.ctx.label(id)} ${value} (${reason})\n`);
  }
  const fields = Object.entries(model).map(([key, value]): [string, string] => {
    const id: FieldId = `model.${key}`;
    return [links.key(id), links.write(id, value)];
  });
  return [['model', own], ...(name ? [['model.name', name] as [string, string]] : []), ...fields];
}

/** Reads a model's file: of one of weights, its beginning. */
function readModel(asking: Asking, file: string): ReturnType<typeof readConfigFile> {
  const bytes = new Uint8Array(Math.min(statSync(file).size, ggufBytes));
  const handle = openSync(file, 'r');
  const length = readSync(handle, bytes, 0, bytes.length, 0);
  closeSync(handle);
  return readConfigFile(bytes.subarray(0, length), asking.engine.describe().groups.model);
}

/** Whether a file is that of an adapter, which says what is trained of its base model. */
async function isAdapter(asking: Asking, file: string): Promise<boolean> {
  const reading = readModel(asking, file);
  if (reading.ok || reading.reason.code !== 'otherFile') return false;
  if (reading.reason.kind !== 'adapter') return false;
  return (await asking.readLaunch(readFileSync(file, 'utf8'), '')) !== undefined;
}

/** The values of a field in a few words: its choices, or its range. */
function valuesOf({ kind, choices, min, max, unit }: FieldInfo): string {
  if (choices.length > 0) return choices.join(', ');
  if (kind === 'flag') return 'yes, no';
  return kind === 'text' ? `≤ ${max}` : `${min} … ${max} ${unit}`.trim();
}

/** The headings under which flags are listed, the first asked first. */
const headings: Record<FieldInfo['rank'], string> = {
  asked: 'The question:',
  assumption: 'Assumptions:',
  rare: 'Rarely changed:',
};

function addQuestion(
  program: Command,
  asking: Asking,
  { groups: fields, questions: described }: WholeDescription,
  question: Question,
): void {
  const description = asking.engine.describe();
  const words = new Map(
    Object.entries(fields).flatMap(([group, list]) =>
      list.map((field): [FieldId, DescribedField] => [`${group as GroupName}.${field.key}`, field]),
    ),
  );
  const links = FieldLinks.of(description);
  const groups: readonly string[] = description.questions[question].groups;
  const ids = links.ids.filter((id) => groups.includes(id.split('.')[0]!));
  const { name, sentence } = described[question];
  const command = common(program.command(question))
    .summary(name)
    .description(`${name}: ${sentence}\n\nFlags are the words of links.`)
    .option('--all', 'with --help: lists the flags that are rarely changed, too');
  if (groups.includes('chip')) command.option('--chip <id>', 'a chip, by its id');
  if (groups.includes('model'))
    command.option('--model <id|file>', 'a model, a config.json or an adapter_config.json');
  if (views[question].predictedBy) command.addOption(countingOption());
  const launches = softwareFor(question);
  if (launches.length > 0) {
    command
      .option('--from <file|command>', 'a launch command, a script or settings to begin with')
      .addOption(
        new Option('--as <software>', 'prints the layout as a launch of a software').choices(
          launches,
        ),
      );
  }
  for (const rank of ['asked', 'assumption', 'rare'] as const) {
    for (const id of ids.filter((each) => words.get(each)!.rank === rank)) {
      const field = words.get(id)!;
      const said = `${field.name}. ${field.sentence} (${valuesOf(field)})`;
      const option = new Option(`--${links.key(id)} <value>`, said).helpGroup(headings[rank]);
      command.addOption(option.hideHelp(rank === 'rare' && !process.argv.includes('--all')));
    }
  }
  command.action(async (options: Options & Record<string, string>) => {
    const pairs: (readonly [string, string])[] = [];
    const { chip, model, counting } = options;
    let { from } = options;
    if (counting) pairs.push(['counting', counting]);
    if (chip) pairs.push(['chip', chip]);
    if (model) {
      const isFile = !presetIds.model.has(model) && existsSync(model);
      if (isFile && launches.length > 0 && (await isAdapter(asking, model))) from = model;
      else pairs.push(...(isFile ? await modelPairs(asking, model) : [['model', model] as const]));
    }
    for (const id of ids) {
      const key = links.key(id);
      const value = options[attributeOf(key)];
      if (value !== undefined) pairs.push([key, value]);
    }
    if (from === undefined) {
      await print(asking, linkOf(description, question, pairs), options);
      return;
    }
    // What the flags say goes before what the launch says.
    const begun = await launchLink(
      asking,
      question,
      from,
      linkOf(
        description,
        question,
        pairs.filter(([key]) => key === 'chip'),
      ),
    );
    const words = new URLSearchParams(begun);
    for (const [key, value] of pairs) words.set(key, value);
    await print(asking, words.toString(), options);
  });
}

/** The name under which commander keeps a flag. */
const attributeOf = (key: string): string => new Option(`--${key} <value>`).attributeName();

const languageOption = (): Option =>
  new Option('--lang <language>', 'the language of words').choices(languages).default('en');
const pageOption = (): Option =>
  new Option('--page <address>', 'where the page lies, for the link beside the answers').default(
    '',
  );

const countingOption = (): Option =>
  new Option('--counting <way>', sayCounting)
    .choices(countings)
    .default(initialState.counting)
    .helpGroup(headings.asked);

const common = (command: Command): Command =>
  command
    .addOption(
      new Option('-f, --format <format>', 'how answers are written')
        .choices(Object.keys(formats))
        .default('table'),
    )
    .addOption(languageOption())
    .addOption(pageOption());

const wantedLanguage = (words: readonly string[]): Language => {
  const at = words.indexOf('--lang');
  const said = words[at + 1];
  return at >= 0 && said !== undefined && languages.includes(said) ? said : 'en';
};

const asking = await Asking.start(wantedLanguage(process.argv));
const program = common(new Command('scaling-calculator'))
  .description('Time, memory, cost and bounds of training and serving large language models.')
  .version(version)
  // A flag behind the name of a question belongs to the question.
  .enablePositionalOptions()
  .argument('[link]', 'a link of the page, or what follows # in it')
  // What commander prints by itself, such as help, has no message of ours.
  .exitOverride(({ exitCode }) => fail(exitCode === 0 ? answered : misused, ''))
  .action(async (link: string | undefined, options: Options) => {
    if (link === undefined) program.help();
    else await print(asking, hashOf(link), options);
  });
const described = asking.describe();
for (const question of questions) addQuestion(program, asking, described, question);
program
  .command('explain')
  .description('prints the derivation of an answer')
  .argument('<link>', 'a link of the page, or what follows # in it')
  .argument('[answer]', 'its key; without it, all are listed with their names')
  .addOption(languageOption())
  .action((link: string, answer: string | undefined) => explain(asking, hashOf(link), answer));
program
  .command('mcp')
  .description('serves agents over stdin and stdout (Model Context Protocol)')
  .addOption(languageOption())
  .addOption(pageOption())
  .action(({ page }: { page: string }) => serve(asking, { version, page }));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof Unreadable || error instanceof Missing) process.exitCode = misused;
  else if (error instanceof Ended) process.exitCode = error.code;
  else throw error;
  if (error.message) process.stderr.write(`${error.message}\n`);
}
