// Firefox by Marionette, its own protocol for WebDriver: JSON over TCP, each message behind its
// length. Playwright drives a Firefox of its own; this is the one that readers have.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { firefox as installedFirefox } from '../../web/tools/setup.mjs';
import { afterwards, temporary } from './places.ts';

const seconds = 1000;
const preferences = {
  'marionette.port': 0, // any; it says which
  'intl.accept_languages': 'en-US, en',
  'layout.css.prefers-color-scheme.content-override': 1, // light
  // Nothing but this machine can be reached, whatever the browser itself wants to know.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.no_proxies_on': 'localhost, 127.0.0.1',
  'network.captive-portal-service.enabled': false,
  'app.update.disabledForTesting': true,
  'toolkit.telemetry.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  // On a busy machine, what still computes as its page is left would be stopped, and told as an error.
  'dom.ipc.cancel_content_js_when_navigating': false,
};

/** Runs in the processes of pages: only there their console can be read. */
const listenInPages = `
  const page = /^(https?|file|data|blob):/;
  const storage = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
  storage.addLogEventListener(
    ({ wrappedJSObject: { level, filename, arguments: values } }) => {
      if (!['error', 'warn', 'assert'].includes(level) || !page.test(filename)) return;
      Services.cpmm.sendAsyncMessage('console', level + ': ' + Array.from(values, String).join(' '));
    },
    Cc['@mozilla.org/systemprincipal;1'].createInstance(Ci.nsIPrincipal),
  );
`;

/** Runs in the browser's own process: notes errors of pages, and their requests. */
const listen = `
  const noted = { errors: [], requests: [] };
  globalThis.noted = noted;
  const page = /^(https?|file|data|blob):/;
  // An element in a frame may be seen, and ask for its colours, before Firefox has laid out the
  // page around it. A policy may have directives that this version does not know.
  const harmless = /^Layout was forced before|unknown directive .(require-)?trusted-types/;
  Services.console.registerListener({
    observe(message) {
      if (!(message instanceof Ci.nsIScriptError)) return;
      if (!page.test(message.sourceName) || message.flags & Ci.nsIScriptError.infoFlag) return;
      if (harmless.test(message.errorMessage)) return;
      noted.errors.push(message.category + ': ' + message.errorMessage + ' ' + message.sourceName);
    },
  });
  Services.ppmm.addMessageListener('console', ({ data }) => noted.errors.push(data));
  Services.ppmm.loadProcessScript(${JSON.stringify(`data:,${encodeURIComponent(listenInPages)}`)}, true);
  Services.obs.addObserver((channel) => {
    channel.QueryInterface(Ci.nsIHttpChannel);
    const { loadInfo } = channel;
    const own = loadInfo.triggeringPrincipal.isSystemPrincipal && !loadInfo.browsingContextID;
    if (!own) noted.requests.push(channel.URI.spec);
  }, 'http-on-opening-request');
  // Marionette lets files read each other; readers' Firefox does not.
  Services.prefs.setBoolPref('security.fileuri.strict_origin_policy', true);
`;

interface Noted {
  errors: string[];
  requests: string[];
}

export interface Firefox {
  open(address: string): Promise<void>;
  /** Runs the body of a function in the page; gives what it returns, also if that is a promise. */
  run<T>(body: string, ...values: unknown[]): Promise<T>;
  /** Tries until the body gives something that holds. */
  until<T>(body: string, ...values: unknown[]): Promise<T>;
  /** Clicks, as a reader does, on the element that the body returns. */
  click(body: string, ...values: unknown[]): Promise<void>;
  /** Makes `run` mean the frame that the body returns from here on; `open` leaves it. */
  enter(body: string): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** Errors and warnings of the console, and addresses of requests, since the last call. */
  noted(): Promise<Noted>;
}

type Reply = [kind: number, id: number, error: { message: string } | null, result: object | null];

/** Calls commands by turns: Marionette answers them in order. */
function commands(socket: Socket) {
  let received = Buffer.alloc(0);
  let last = 0;
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const colon = received.indexOf(':');
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (colon < 0 || received.length < end) return;
      const message = JSON.parse(received.subarray(colon + 1, end).toString()) as Reply;
      received = received.subarray(end);
      if (Array.isArray(message)) waiting.get(message[1])?.(message); // else its greeting
    }
  });
  return <T>(name: string, parameters: object = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = (last += 1);
      const late = setTimeout(() => reject(new Error(`${name}: no answer`)), 120 * seconds);
      waiting.set(id, ([, , error, result]) => {
        clearTimeout(late);
        waiting.delete(id);
        if (error) reject(new Error(`${name}: ${error.message}`));
        else resolve((result && 'value' in result ? result.value : result) as T);
      });
      const text = JSON.stringify([0, id, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}

async function portOf(profile: string): Promise<number> {
  const file = path.join(profile, 'MarionetteActivePort');
  for (let tries = 0; tries < 600; tries += 1) {
    const port = existsSync(file) && Number(readFileSync(file, 'utf8'));
    if (port) return port;
    await pause(100);
  }
  throw new Error('Firefox did not start within a minute');
}

export async function openFirefox(width = 1000, height = 800): Promise<Firefox> {
  const profile = temporary();
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(path.join(profile, 'user.js'), lines.join('\n'));
  const browser = spawn(
    installedFirefox()!, // npm test has installed it
    [
      ...['--headless', '--marionette', '--remote-allow-system-access', '--no-remote'],
      ...['--profile', profile, '--width', `${width}`, '--height', `${height}`],
    ],
    {
      stdio: 'ignore',
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    },
  );
  const ended = once(browser, 'exit');
  // Its other processes end with it.
  afterwards(async () => {
    browser.kill('SIGKILL');
    await ended;
  });

  const port = await portOf(profile);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => {}); // commands time out
  const call = commands(socket);
  await call('WebDriver:NewSession', { strictFileInteractability: true });
  await call('WebDriver:SetTimeouts', { script: 100 * seconds, pageLoad: 100 * seconds });

  const inBrowser = async <T>(script: string): Promise<T> => {
    await call('Marionette:SetContext', { value: 'chrome' });
    try {
      return await call<T>('WebDriver:ExecuteScript', { script, args: [], sandbox: 'system' });
    } finally {
      await call('Marionette:SetContext', { value: 'content' });
    }
  };
  await inBrowser(listen);

  const run = <T>(body: string, ...values: unknown[]) =>
    call<T>('WebDriver:ExecuteScript', { script: body, args: values });
  const until = async <T>(body: string, ...values: unknown[]): Promise<T> => {
    let failure: unknown;
    for (const started = Date.now(); Date.now() - started < 90 * seconds; await pause(50)) {
      const value = await run<T>(body, ...values).catch((error) => void (failure = error));
      if (value) return value;
    }
    throw new Error(`never came true: ${body}`, { cause: failure });
  };
  /** The key of an element in the browser. */
  const keyOf = async (body: string, ...values: unknown[]) =>
    Object.values(await until<Record<string, string>>(body, ...values))[0];
  return {
    run,
    until,
    open: async (address) => {
      await call('WebDriver:SwitchToFrame', { id: null });
      await call('WebDriver:Navigate', { url: address });
    },
    click: async (body, ...values) =>
      call('WebDriver:ElementClick', { id: await keyOf(body, ...values) }),
    enter: async (body) => {
      await call('WebDriver:SwitchToFrame', { element: await keyOf(body) });
      await until(`return document.readyState === 'complete'`);
    },
    screenshot: async (file) => {
      const picture = await call<string>('WebDriver:TakeScreenshot', { full: false });
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, Buffer.from(picture, 'base64'));
    },
    noted: () =>
      inBrowser('return { errors: noted.errors.splice(0), requests: noted.requests.splice(0) }'),
  };
}
