// The C++ builds: each folder of build/ compiles the same sources in one way.

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { Failure, find, root, run, step } from './run.mjs';

const programs = ['-DSCALING_TESTS=ON', '-DSCALING_BENCH=ON'];
/** Tests that are compiled once, and linked with the core as each native compiler makes it. */
const linkedTests = `-DSCALING_TEST_LIBRARY=${path.join(root, 'build/tests/libtest_library.a')}`;

const ways = {
  // Clang takes half the time of g++ where nothing is optimised.
  tests: { compiler: 'clang++', settings: ['-DSCALING_TESTS=ON'] },
  native: { compiler: 'g++', settings: [...programs, linkedTests] },
  sanitized: {
    compiler: 'clang++',
    settings: [
      ...['-DSCALING_TESTS=ON', '-DSCALING_SANITIZE=ON', '-DCMAKE_BUILD_TYPE=Debug'],
      linkedTests,
    ],
  },
  wasm: { compiler: 'em++', settings: programs },
  dev: { compiler: 'em++', settings: ['-DSCALING_DEV=ON'] },
};

// Emscripten's own scripts then run in the same Node as this.
const env = { EM_NODE_JS: process.execPath };

function compilerSettings(compiler) {
  if (compiler !== 'em++') return [`-DCMAKE_CXX_COMPILER=${compiler}`];
  const emscripten = execFileSync('em-config', ['EMSCRIPTEN_ROOT'], { encoding: 'utf8' }).trim();
  return [
    `-DCMAKE_TOOLCHAIN_FILE=${emscripten}/cmake/Modules/Platform/Emscripten.cmake`,
    `-DCMAKE_CROSSCOMPILING_EMULATOR=${process.execPath}`,
  ];
}

export const folderOf = (way) => path.join('build', way);

/**
 * Compiles targets in one of the ways; configures first when it is new or when asked to. `jobs`
 * limits how many compilers run at once, where other work goes on beside it.
 */
export async function compile(way, title, { targets = ['all'], configure = false, jobs } = {}) {
  const { compiler, settings } = ways[way];
  const folder = path.join(root, folderOf(way));
  step(title);

  // Another compiler, or a moved project, needs a new folder.
  const compilerPath = find(compiler);
  if (!compilerPath) throw new Failure(`${compiler} not found`);
  const identity = `${root} ${compilerPath} ${statSync(compilerPath).mtimeMs} ${settings.join(' ')}`;
  const stamp = path.join(folder, 'identity');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== identity) {
    rmSync(folder, { recursive: true, force: true });
  }
  if (configure || !existsSync(path.join(folder, 'build.ninja'))) {
    await run(
      'cmake',
      ['-G', 'Ninja', '-S', root, '-B', folder, ...compilerSettings(compiler), ...settings],
      { env },
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(stamp, identity);
  }
  const silent = /Re-checking globbed directories|no work to do/;
  const parallel = jobs ? ['--parallel', String(jobs)] : [];
  await run('cmake', ['--build', folder, '--target', ...targets, ...parallel], {
    env,
    show: (line) => !silent.test(line),
  });
}
