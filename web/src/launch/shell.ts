// Shell scripts, as far as launch commands need them: words, variables, lists, files written in place.
// Nothing is run.

/** A command's words, with the variables that stood before it. */
export interface Command {
  words: readonly string[];
}

export interface Script {
  commands: readonly Command[];
  /** Files that the script writes itself (`cat > name <<EOF`). */
  files: ReadonlyMap<string, string>;
  /** Variables that have no value here. */
  unset: readonly string[];
  variables: ReadonlyMap<string, string>;
}

/** Where a quote or a bracket has no end, the line on which it begins. */
export class Unclosed extends Error {
  constructor(readonly line: number) {
    super(`unclosed at line ${line}`);
  }
}

/** More text than a script's own, which its variables would make of it. */
export class Swollen extends Error {}

/** What a variable holds: a text, or the words of a list. */
type Value = string | readonly string[];

const name = /^[A-Za-z_][A-Za-z0-9_]*/;
const assignment = /^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+?)=/;
/** Variables that hold each other can make any length of a few lines. */
const mostExpanded = 4_000_000;
const deepest = 12;

/** Words behind which a command begins. */
const openers = new Set([
  'then',
  'else',
  'do',
  '{',
  '(',
  '!',
  'time',
  'exec',
  'eval',
  'export',
  'local',
  'declare',
  'readonly',
  'set',
  'nohup',
  'sudo',
  'command',
]);

class Reader {
  readonly commands: Command[] = [];
  readonly files = new Map<string, string>();
  readonly unset = new Set<string>();
  readonly variables: Map<string, Value>;
  private at = 0;
  private words: string[] = [];
  /** Whether a command may still begin: there were but assignments and openers. */
  private leading = true;
  private expanded = 0;
  /** The conditions around: whether this branch is read, and whether one before it was. */
  private readonly branches: { on: boolean; done: boolean }[] = [];
  private readonly waiting: { end: string; quoted: boolean; dashed: boolean }[] = [];
  private target: string | undefined;

  constructor(
    private readonly text: string,
    variables: ReadonlyMap<string, Value>,
    private readonly depth: number,
  ) {
    this.variables = new Map(variables);
  }

  read(): this {
    const { text } = this;
    while (this.at < text.length) {
      const sign = text[this.at]!;
      if (sign === '\n') {
        this.at += 1;
        this.end();
        for (const each of this.waiting.splice(0)) this.readFile(each);
      } else if (/\s/.test(sign)) this.at += 1;
      else if (sign === '\\' && /^\\[ \t]*\r?\n/.test(text.slice(this.at, this.at + 80))) {
        this.at = text.indexOf('\n', this.at) + 1;
      } else if (sign === '#') this.comment();
      else if (sign === '<' && text.startsWith('<<', this.at) && !text.startsWith('<<<', this.at)) {
        this.openFile();
      } else if (sign === '>' || sign === '<') this.redirect();
      else if (/^(2>&1|&>)/.test(text.slice(this.at, this.at + 4))) {
        this.at += text.startsWith('2>&1', this.at) ? 4 : 1;
      } else if (sign === ';' || sign === '&' || sign === '|') {
        while (/[;&|]/.test(text[this.at] ?? '')) this.at += 1;
        this.end();
      } else if (sign === '(' && this.words.length === 0) this.at += 1;
      else if (sign === ')') {
        this.at += 1;
        this.end();
      } else this.word();
    }
    this.end();
    return this;
  }

  private lineAt(at: number): number {
    return this.text.slice(0, at).split('\n').length;
  }

  private comment(): void {
    const end = this.text.indexOf('\n', this.at);
    const line = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end;
    const batch = /^#SBATCH\s+(.*)$/.exec(line);
    if (batch) this.batch(batch[1]!);
  }

  /** Options of a job of Slurm, which it gives to the script as variables. */
  private batch(options: string): void {
    const found = /^(?:--nodes[= ]|-N\s*)(\d+)/.exec(options)?.[1];
    if (found)
      for (const key of ['SLURM_NNODES', 'SLURM_JOB_NUM_NODES']) this.variables.set(key, found);
    const each =
      /^--(?:gpus-per-node|ntasks-per-node)[= ](?:[a-z0-9]+:)?(\d+)|^--gres[= ]gpu:(?:[a-zA-Z0-9_]+:)?(\d+)/.exec(
        options,
      );
    const count = each?.[1] ?? each?.[2];
    if (!count) return;
    const before = Number(this.variables.get('SLURM_GPUS_ON_NODE') ?? 0);
    if (Number(count) > before) this.variables.set('SLURM_GPUS_ON_NODE', count);
  }

  private openFile(): void {
    const found = /^<<(-?)\s*(['"]?)([A-Za-z_][A-Za-z0-9_]*)\2/.exec(
      this.text.slice(this.at, this.at + 200),
    );
    if (!found) {
      this.at += 2;
      return;
    }
    this.at += found[0].length;
    this.waiting.push({ end: found[3]!, quoted: found[2] !== '', dashed: found[1] === '-' });
  }

  private redirect(): void {
    while (/[<>&|]/.test(this.text[this.at] ?? '')) this.at += 1;
    while (/[ \t]/.test(this.text[this.at] ?? '')) this.at += 1;
    const before = this.words;
    this.words = [];
    this.word();
    this.target = this.words[0] ?? this.target;
    this.words = before;
  }

  private readFile({
    end,
    quoted,
    dashed,
  }: {
    end: string;
    quoted: boolean;
    dashed: boolean;
  }): void {
    const lines: string[] = [];
    const start = this.at;
    for (;;) {
      if (this.at >= this.text.length) throw new Unclosed(this.lineAt(start));
      const stop = this.text.indexOf('\n', this.at);
      const line = this.text.slice(this.at, stop < 0 ? undefined : stop).replace(/\r$/, '');
      this.at = stop < 0 ? this.text.length : stop + 1;
      if ((dashed ? line.trim() : line) === end) break;
      lines.push(line);
    }
    const body = `${lines.join('\n')}\n`;
    const target = this.targets.shift() ?? this.target ?? '';
    this.files.set(fileName(target), quoted ? body : this.filled(body));
  }

  /** Files that the command before a body writes to: redirections come before or after `<<`. */
  private readonly targets: string[] = [];

  /** Ends a command. */
  private end(): void {
    const { words } = this;
    this.words = [];
    this.leading = true;
    if (this.waiting.length > 0 && this.target !== undefined) this.targets.push(this.target);
    if (this.target !== undefined && words[0] === 'tee') this.targets.push(words[1] ?? '');
    else if (words[0] === 'tee' && this.waiting.length > 0) this.targets.push(words.at(-1)!);
    this.target = undefined;
    if (words.length > 0) this.run(words);
  }

  private run(given: string[]): void {
    const [first = ''] = given;
    if (first === 'if' || first === 'elif') {
      const before = first === 'if' ? undefined : this.branches.pop();
      const taken = before?.done ?? false;
      const holds = !taken && this.on && this.holds(given.slice(1));
      this.branches.push({ on: holds, done: taken || holds });
      return;
    }
    if (first === 'else') {
      const before = this.branches.pop() ?? { on: false, done: false };
      this.branches.push({ on: !before.done, done: true });
      if (given.length > 1) this.run(given.slice(1));
      return;
    }
    if (first === 'fi') {
      this.branches.pop();
      return;
    }
    if (openers.has(first) && given.length > 1) {
      this.run(given.slice(1));
      return;
    }
    if (!this.on) return;
    let start = 0;
    while (start < given.length && assignment.test(given[start]!)) {
      const [whole, key] = assignment.exec(given[start]!)!;
      this.variables.set(key!, given[start]!.slice(whole.length));
      start += 1;
    }
    const words = given.slice(start);
    if (words.length === 0) return;
    // What another shell is given to read comes first: it says more than what begins it.
    const inner = words.findIndex(
      (each, index) => /\s/.test(each) && /^(-\w*c|eval|--wrap)$/.test(words[index - 1] ?? ''),
    );
    if (inner >= 0 && this.depth < deepest) {
      const read = new Reader(words[inner]!, this.variables, this.depth + 1).read();
      for (const each of read.commands) this.commands.push(each);
    }
    this.commands.push({ words });
  }

  private get on(): boolean {
    return this.branches.every(({ on }) => on);
  }

  /** Whether a condition holds, as far as it can be told: one that can't be told holds. */
  private holds(words: readonly string[]): boolean {
    const rest = words
      .filter((word) => !/^(\[\[?|\]\]?)$/.test(word))
      .map((word) => (/^\$\{\w+\}$/.test(word) ? '' : word));
    const [one = '', sign = '', other = ''] = rest;
    if (rest.length === 2 && one === '-n') return sign !== '';
    if (rest.length === 2 && one === '-z') return sign === '';
    if (rest.length === 1 && one === '-n') return false;
    if (rest.length !== 3) return true;
    const numbers = [Number(one), Number(other)] as const;
    switch (sign) {
      case '=':
      case '==':
        return one === other;
      case '!=':
        return one !== other;
      case '-eq':
        return numbers[0] === numbers[1];
      case '-ne':
        return numbers[0] !== numbers[1];
      case '-gt':
        return numbers[0] > numbers[1];
      case '-ge':
        return numbers[0] >= numbers[1];
      case '-lt':
        return numbers[0] < numbers[1];
      case '-le':
        return numbers[0] <= numbers[1];
      default:
        return true;
    }
  }

  /** Reads a word; unquoted variables may make several of it, and an assignment of a list many. */
  private word(): void {
    const { text } = this;
    const start = this.at;
    const isFirst = this.leading;
    const list = isFirst
      ? /^([A-Za-z_][A-Za-z0-9_]*)(\+?)=\(/.exec(text.slice(this.at, this.at + 200))
      : null;
    if (list) {
      this.at += list[0].length;
      this.list(list[1]!, list[2] === '+', start);
      return;
    }
    const parts: string[] = [''];
    let quoted = false;
    const add = (more: string): void => {
      parts[parts.length - 1] += more;
    };
    const addWords = (words: readonly string[]): void => {
      words.forEach((each, index) => (index === 0 ? add(each) : parts.push(each)));
    };
    while (this.at < text.length) {
      const sign = text[this.at]!;
      if (/[\s;&|()]/.test(sign) || sign === '<' || sign === '>') break;
      if (sign === '\\') {
        if (/^\\[ \t]*\r?\n/.test(text.slice(this.at, this.at + 80))) break;
        add(text[this.at + 1] ?? '');
        this.at += 2;
      } else if (sign === "'") {
        const end = text.indexOf("'", this.at + 1);
        if (end < 0) throw new Unclosed(this.lineAt(start));
        add(text.slice(this.at + 1, end));
        this.at = end + 1;
        quoted = true;
      } else if (sign === '"') {
        quoted = true;
        this.doubleQuoted(start, add, addWords);
      } else if (sign === '$') {
        const value = this.variable();
        const isAssigned = assignment.test(parts[0]!) && isFirst;
        if (isAssigned) add(wordsOf(value).join(' '));
        else addWords(wordsOf(value).flatMap((each) => each.split(/\s+/).filter(Boolean)));
      } else {
        add(sign);
        this.at += 1;
      }
    }
    if (this.at === start) this.at += 1;
    const made = quoted ? parts : parts.filter((part) => part !== '');
    this.leading &&= made.every((each) => assignment.test(each) || openers.has(each));
    for (const each of made) this.words.push(each);
  }

  private doubleQuoted(
    start: number,
    add: (more: string) => void,
    addWords: (words: readonly string[]) => void,
  ): void {
    const { text } = this;
    this.at += 1;
    for (;;) {
      const sign = text[this.at];
      if (sign === undefined) throw new Unclosed(this.lineAt(start));
      if (sign === '"') break;
      if (sign === '\\' && /["\\$`\n]/.test(text[this.at + 1] ?? '')) {
        if (text[this.at + 1] !== '\n') add(text[this.at + 1]!);
        this.at += 2;
      } else if (sign === '$') {
        const value = this.variable();
        if (typeof value === 'string') add(value);
        else addWords(value);
      } else {
        add(sign);
        this.at += 1;
      }
    }
    this.at += 1;
  }

  private list(key: string, more: boolean, start: number): void {
    const before = this.words;
    this.words = [];
    for (;;) {
      const sign = this.text[this.at];
      if (sign === undefined) throw new Unclosed(this.lineAt(start));
      if (sign === ')') break;
      if (sign === '#') this.comment();
      else if (/[\s;&|()<>]/.test(sign)) this.at += 1;
      else if (sign === '\\' && /^\\[ \t]*\r?\n/.test(this.text.slice(this.at, this.at + 80))) {
        this.at = this.text.indexOf('\n', this.at) + 1;
      } else this.word();
    }
    this.at += 1;
    const found = this.words;
    this.words = before;
    this.leading = true;
    if (!this.on) return;
    const old = more ? wordsOf(this.variables.get(key) ?? []) : [];
    this.variables.set(key, [...old, ...found]);
  }

  /** The value of what begins with a dollar sign. */
  private variable(): Value {
    const { text } = this;
    if (text.startsWith('$((', this.at)) {
      const end = text.indexOf('))', this.at);
      if (end < 0) throw new Unclosed(this.lineAt(this.at));
      const value = arithmetic(text.slice(this.at + 3, end), (key) => this.valueOf(key));
      this.at = end + 2;
      return value === undefined ? '' : String(value);
    }
    if (text.startsWith('$(', this.at)) {
      // What a command would print is not known.
      this.at = this.matching(this.at + 1, '(', ')') + 1;
      return '';
    }
    if (text.startsWith('${', this.at)) {
      const end = this.matching(this.at + 1, '{', '}');
      const inner = text.slice(this.at + 2, end);
      this.at = end + 1;
      return this.braced(inner);
    }
    const key =
      name.exec(text.slice(this.at + 1, this.at + 100))?.[0] ??
      /^[0-9@*#?]/.exec(text.slice(this.at + 1))?.[0];
    if (key === undefined) {
      this.at += 1;
      return '$';
    }
    this.at += 1 + key.length;
    return this.lookUp(key);
  }

  private matching(from: number, open: string, close: string): number {
    let depth = 0;
    for (let at = from; at < this.text.length; at += 1) {
      if (this.text[at] === open) depth += 1;
      else if (this.text[at] === close && (depth -= 1) === 0) return at;
    }
    throw new Unclosed(this.lineAt(from));
  }

  private braced(inner: string): Value {
    const found = /^([A-Za-z_][A-Za-z0-9_]*|[0-9@*])(\[[@*]\])?(?:(:?[-=+])([\s\S]*))?$/.exec(
      inner,
    );
    if (!found) {
      const key = name.exec(inner.replace(/^#/, ''))?.[0];
      return key && !inner.startsWith('#') ? this.lookUp(key) : '';
    }
    const [, key = '', , sign, otherwise = ''] = found;
    const value = this.variables.get(key);
    const isEmpty = value === undefined || value.length === 0;
    if (sign?.endsWith('+')) return isEmpty ? '' : this.filled(unquoted(otherwise));
    if (sign && !sign.endsWith('?') && isEmpty) return this.filled(unquoted(otherwise));
    return this.lookUp(key);
  }

  private lookUp(key: string): Value {
    const value = this.variables.get(key);
    if (value === undefined) {
      this.unset.add(key);
      // Its place stays, so that what follows is not taken for its value.
      return `\${${key}}`;
    }
    this.expanded += wordsOf(value).reduce((sum, each) => sum + each.length, 0);
    if (this.expanded > mostExpanded) throw new Swollen();
    return value;
  }

  private valueOf(key: string): string {
    return wordsOf(this.lookUp(key)).join(' ');
  }

  /** A text with its variables in place. */
  private filled(text: string): string {
    if (this.depth >= deepest || !text.includes('$')) return text;
    const inside = new Reader(text, this.variables, this.depth + 1);
    return inside.fill();
  }

  fill(): string {
    let made = '';
    while (this.at < this.text.length) {
      const sign = this.text[this.at]!;
      if (sign === '$') made += wordsOf(this.variable()).join(' ');
      else {
        made += sign;
        this.at += 1;
      }
    }
    return made;
  }
}

const wordsOf = (value: Value): readonly string[] => (typeof value === 'string' ? [value] : value);
const unquoted = (text: string): string => text.replace(/^(["'])([\s\S]*)\1$/, '$2');
/** The name without the folder before it. */
export const fileName = (path: string): string => path.split('/').pop() ?? path;

/** Whole numbers with + - * / % and brackets; undefined where a part is no number. */
export function arithmetic(text: string, valueOf: (key: string) => string): number | undefined {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|[-+*/%()]/g) ?? [];
  let at = 0;
  const primary = (depth: number): number => {
    const token = tokens[at];
    at += 1;
    if (token === undefined || depth > deepest) return NaN;
    if (token === '(') {
      const inner = sum(depth + 1);
      at += 1;
      return inner;
    }
    if (token === '-') return -primary(depth + 1);
    return /^\d/.test(token)
      ? Number(token)
      : /^[A-Za-z_]/.test(token)
        ? numberIn(valueOf(token))
        : NaN;
  };
  const product = (depth: number): number => {
    let value = primary(depth);
    while (['*', '/', '%'].includes(tokens[at] ?? '')) {
      const sign = tokens[at];
      at += 1;
      const other = primary(depth);
      value =
        sign === '*' ? value * other : sign === '/' ? Math.trunc(value / other) : value % other;
    }
    return value;
  };
  const sum = (depth: number): number => {
    let value = product(depth);
    while (['+', '-'].includes(tokens[at] ?? '')) {
      const sign = tokens[at];
      at += 1;
      const other = product(depth);
      value = sign === '+' ? value + other : value - other;
    }
    return value;
  };
  const value = sum(0);
  return Number.isFinite(value) ? value : undefined;
}

const numberIn = (text: string): number => (text.trim() === '' ? NaN : Number(text));

/** Reads a script. Throws `Unclosed`. */
export function readScript(text: string): Script {
  // Prompts of a terminal before a command are no part of it.
  const plain = text.replace(/^[ \t]*\$ (?=\S)/gm, '').replaceAll('\r\n', '\n');
  const { commands, files, unset, variables } = new Reader(plain, new Map(), 0).read();
  return {
    commands,
    files,
    unset: [...unset],
    variables: new Map([...variables].map(([key, value]) => [key, wordsOf(value).join(' ')])),
  };
}
