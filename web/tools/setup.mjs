// Finds what a command needs and the machine lacks, and installs it.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { execFileSync } from 'node:child_process';
import { digest, Failure, find, root, run, step } from './run.mjs';

const includes = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];
const header = (name) => includes.some((folder) => existsSync(path.join(folder, name)));

/** Chromium, or a browser that is the same for tests. */
export function chromium() {
  return [
    process.env.CHROMIUM,
    ...['chromium', 'chromium-browser', 'google-chrome'].map(find),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find((file) => file && existsSync(file));
}

/** Chromium without windows, where there is one: it opens a page in less than half the time. */
export function headlessChromium() {
  return process.env.CHROMIUM ?? find('chromium-headless-shell') ?? chromium();
}

/** Firefox ESR, or the Firefox that there is. */
export function firefox() {
  return [
    process.env.FIREFOX,
    ...['firefox-esr', 'firefox'].map(find),
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ].find((file) => file && existsSync(file));
}

/** nginx, which Debian keeps where only root looks. */
export function nginx() {
  return find('nginx') ?? ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find(existsSync);
}

function fuzzerRuntime() {
  if (!find('clang++')) return false;
  const resources = execFileSync('clang++', ['-print-resource-dir'], { encoding: 'utf8' }).trim();
  const libraries = path.join(resources, 'lib');
  return (
    existsSync(libraries) &&
    readdirSync(libraries, { recursive: true }).some((file) => /clang_rt\.fuzzer/.test(file))
  );
}

function chineseFont() {
  if (process.platform !== 'linux') return true;
  return (
    Boolean(find('fc-list')) &&
    execFileSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' }).trim() !== ''
  );
}

function release() {
  const file = '/etc/os-release';
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').matchAll(/^(\w+)="?([^"\n]*)"?$/gm);
  return Object.fromEntries([...lines].map(([, key, value]) => [key, value]));
}

const isDebian = () => release().ID === 'debian';

/**
 * Catch2 3 comes compiled for the machine itself, so that the tests in wasm need doctest
 * (tests/core/catch.hpp).
 */
function testsInWasm() {
  if (header('catch2/catch.hpp') || header('doctest/doctest.h')) return true;
  if (header('catch2/catch_test_macros.hpp')) return false;
  const { ID, VERSION_ID } = release();
  return !(Number(VERSION_ID) >= (ID === 'ubuntu' ? 23 : 13));
}

// `for` names the purposes that need it; the packages are those of each system's manager.
const needs = [
  { name: 'Emscripten', for: ['build'], found: () => find('em++'), package: 'emscripten' },
  { name: 'CMake', for: ['build', 'core'], found: () => find('cmake'), package: 'cmake' },
  {
    name: 'Ninja',
    for: ['build', 'core'],
    found: () => find('ninja'),
    package: { apt: 'ninja-build', dnf: 'ninja-build', pacman: 'ninja', brew: 'ninja' },
  },
  {
    name: 'g++',
    for: ['core', 'check', 'bench'],
    found: () => find('g++'),
    package: { apt: 'g++', dnf: 'gcc-c++', pacman: 'gcc', brew: 'gcc' },
  },
  {
    name: 'clang',
    for: ['core'],
    found: () => find('clang++'),
    package: { apt: 'clang', dnf: 'clang', pacman: 'clang', brew: 'llvm' },
  },
  {
    name: "clang's sanitizers and libFuzzer",
    for: ['core'],
    found: fuzzerRuntime,
    package: { apt: 'libclang-rt-dev', dnf: 'compiler-rt', pacman: 'compiler-rt', brew: 'llvm' },
  },
  {
    name: 'clang-format',
    for: ['check'],
    found: () => find('clang-format'),
    package: {
      apt: 'clang-format',
      dnf: 'clang-tools-extra',
      pacman: 'clang',
      brew: 'clang-format',
    },
  },
  {
    name: 'clang-tidy',
    for: ['check'],
    found: () => find('clang-tidy'),
    package: { apt: 'clang-tidy', dnf: 'clang-tools-extra', pacman: 'clang', brew: 'llvm' },
  },
  {
    name: 'Catch2',
    for: ['core'],
    found: () => header('catch2/catch.hpp') || header('catch2/catch_test_macros.hpp'),
    package: { apt: 'catch2', dnf: 'catch2-devel', pacman: 'catch2', brew: 'catch2' },
  },
  {
    name: 'doctest',
    for: ['core'],
    found: testsInWasm,
    package: { apt: 'doctest-dev', dnf: 'doctest-devel', pacman: 'doctest', brew: 'doctest' },
  },
  {
    name: 'nlohmann-json',
    for: ['core'],
    found: () => header('nlohmann/json.hpp'),
    package: {
      apt: 'nlohmann-json3-dev',
      dnf: 'json-devel',
      pacman: 'nlohmann-json',
      brew: 'nlohmann-json',
    },
  },
  { name: 'Chromium', for: ['bench'], found: chromium, package: 'chromium' },
  {
    name: 'headless Chromium',
    for: ['browser'],
    found: () =>
      process.env.CHROMIUM ?? (isDebian() ? find('chromium-headless-shell') : chromium()),
    package: {
      apt: isDebian() ? 'chromium-headless-shell' : 'chromium',
      dnf: 'chromium',
      pacman: 'chromium',
      brew: 'chromium',
    },
  },
  {
    name: 'a Chinese font',
    for: ['browser', 'bench'],
    found: chineseFont,
    package: {
      apt: ['fontconfig', 'fonts-wqy-zenhei'],
      dnf: 'wqy-zenhei-fonts',
      pacman: 'wqy-zenhei',
    },
  },
  // The hosts that the element and the page are tested on.
  {
    name: 'Firefox',
    for: ['hosts'],
    found: firefox,
    package: {
      apt: release().ID === 'ubuntu' ? 'firefox' : 'firefox-esr',
      dnf: 'firefox',
      pacman: 'firefox',
      brew: 'firefox',
    },
  },
  { name: 'Hugo', for: ['hosts'], found: () => find('hugo'), package: 'hugo' },
  {
    name: 'Jekyll',
    for: ['hosts'],
    found: () => find('jekyll'),
    package: { apt: 'jekyll', dnf: 'rubygem-jekyll' },
    otherwise: 'gem install jekyll',
  },
  { name: 'nginx', for: ['hosts'], found: nginx, package: 'nginx' },
];

const installers = {
  apt: 'apt-get install',
  brew: 'brew install',
  dnf: 'dnf install',
  pacman: 'pacman -S',
};

function missing(purposes) {
  return needs.filter(
    (need) => need.for.some((purpose) => purposes.includes(purpose)) && !need.found(),
  );
}

function packagesOf(lacking, manager) {
  const named = (need) =>
    typeof need.package === 'string' ? need.package : (need.package[manager] ?? []);
  return [...new Set(lacking.flatMap(named))];
}

async function installSystemPackages(lacking) {
  const names = lacking.map((need) => need.name).join(', ');
  const manager = ['apt', 'dnf', 'pacman', 'brew'].find((name) =>
    find(installers[name].split(' ')[0]),
  );
  const packages = packagesOf(lacking, manager);
  const asRoot = process.getuid?.() === 0;
  const command = `${asRoot || manager === 'brew' ? '' : 'sudo '}${installers[manager]} ${packages.join(' ')}`;

  if (manager !== 'apt') {
    const others = lacking.map((need) => !need.package[manager] && need.otherwise).filter(Boolean);
    const hint = manager ? ` Try: ${[command, ...others].join('; ')}` : '';
    throw new Failure(`missing: ${names}.${hint}`);
  }
  step(`missing: ${names}`);
  if (!asRoot && !find('sudo')) throw new Failure(`only root can install them: ${command}`);
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(`  ${command}\n  Install these packages now? [Y/n] `);
    terminal.close();
    if (!/^(y(es)?)?$/i.test(answer.trim())) throw new Failure('nothing was installed');
  }
  step(`installing ${packages.join(' ')}`);
  const asAdministrator = async (...words) => {
    if (!asRoot) words.unshift('sudo');
    await run(words[0], words.slice(1), { show: 'all' });
  };
  const apt = (...args) =>
    asAdministrator('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args);
  await apt('update', '-q');
  await apt('install', '-q', '-y', '--no-install-recommends', ...packages);
  if (packages.includes('nginx')) {
    step('nginx is needed as a program only: its service is switched off');
    await asAdministrator('service', 'nginx', 'stop');
    await asAdministrator('update-rc.d', 'nginx', 'disable');
  }
}

async function installNodePackages() {
  const lock = digest(['package-lock.json']);
  const stamp = path.join(root, 'node_modules', '.lock-digest');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  step('installing the npm packages of package-lock.json');
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { show: 'all' });
  writeFileSync(stamp, lock);
}

/** Makes the machine ready for the given purposes: 'build'; 'core', its tests; 'browser' and 'hosts',
 * those of the page; 'check'; 'bench'. */
export async function setUp(...purposes) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Failure(`Node.js 20.19 or newer is needed; this is ${process.versions.node}`);
  }
  const lacking = missing(purposes);
  if (lacking.length > 0) {
    await installSystemPackages(lacking);
    const still = missing(purposes).map((need) => need.name);
    if (still.length > 0) throw new Failure(`still missing: ${still.join(', ')}`);
  }
  await installNodePackages();
}
