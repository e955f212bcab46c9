// Shared by all tools: paths, announcements of steps, running of commands.

import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A failure whose message is all a reader needs: no stack is shown for it. */
export class Failure extends Error {}

/** The work that is going on, where several go on side by side: its name and its CPU time. */
const working = new AsyncLocalStorage();

/** Does work whose lines are marked by its name. */
export const workingAs = (name, work) => working.run({ name, cpu: 0 }, work);

/** Writes a line, behind the name of the work that it belongs to. */
export function say(line) {
  const { name } = working.getStore() ?? {};
  console.log(name ? `${name} | ${line}` : line);
}

/** Seconds of CPU that the present work has taken: its commands, and what it did in this process. */
export const cpuSeconds = () => working.getStore()?.cpu ?? 0;

function addCpu(seconds) {
  const work = working.getStore();
  if (work) work.cpu += seconds;
}

/** Does in this process what takes long, and counts its CPU time. */
export async function counted(work) {
  const before = process.cpuUsage();
  try {
    return await work();
  } finally {
    const { user, system } = process.cpuUsage(before);
    addCpu((user + system) / 1e6);
  }
}

/**
 * Runs a command, then writes the CPU time of all processes that it waited for: not of a browser
 * that ends after the tests that started it.
 */
const timing = '"$@" 3>&-; status=$?; times >&3; exit "$status"';

/** The seconds in what the shell writes of its children. */
function secondsIn(times) {
  const [, children = ''] = times.trim().split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}

export function step(text) {
  say(`- ${text}`);
}

/** Runs a tool's own work when its file is the program: `main(import.meta, work)`. */
export async function main(meta, work) {
  if (realpathSync(process.argv[1]) !== fileURLToPath(meta.url)) return;
  try {
    process.exitCode = (await work(process.argv.slice(2))) ?? 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}

/**
 * Runs a command in the project's root; resolves to its status and what it wrote.
 * `show`: 'all' writes its output through; 'failure' only when it fails; a function gets each line
 * and says whether to write it. `accept` leaves a status other than 0 to the caller.
 */
export function run(command, args, { env = {}, show = 'failure', accept = false } = {}) {
  return new Promise((resolve, reject) => {
    const all = show === 'all';
    if (!command.includes('/') && !find(command)) throw new Failure(`${command} not found`);
    const child = spawn('sh', ['-c', timing, 'sh', command, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: [...(all ? ['inherit', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe']), 'pipe'],
    });
    let times = '';
    child.stdio[3].setEncoding('utf8').on('data', (text) => (times += text));
    let output = '';
    let unfinished = '';
    const take = (chunk) => {
      output += chunk;
      if (typeof show !== 'function') return;
      const lines = (unfinished + chunk).split('\n');
      unfinished = lines.pop();
      for (const line of lines) if (show(line)) say(line);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    child.on('error', (error) => reject(new Failure(`${command}: ${error.message}`)));
    child.on('close', (status, signal) => {
      addCpu(secondsIn(times));
      if (typeof show === 'function' && unfinished && show(unfinished)) say(unfinished);
      if (status === 0 || accept) return resolve({ status: status ?? 1, output });
      if (show === 'failure') console.error(output);
      reject(new Failure(`${command} ${args.join(' ')}: ${signal ?? `status ${status}`}`));
    });
  });
}

/** The path of a command, or undefined. */
export function find(command) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, command);
    if (folder && existsSync(file) && statSync(file).isFile()) return file;
  }
  return undefined;
}

/** All files under the given files and folders of the project, sorted. */
export function filesUnder(...places) {
  const files = [];
  const visit = (place) => {
    const file = path.join(root, place);
    if (!existsSync(file)) return;
    if (!statSync(file).isDirectory()) files.push(place);
    else for (const name of readdirSync(file).sort()) visit(path.join(place, name));
  };
  places.forEach(visit);
  return files;
}

/** One digest of the names and contents of files. */
export function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}
