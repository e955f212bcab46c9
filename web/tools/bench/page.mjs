// Benchmarks the page in Chromium: from an input event to the painted answers, beside the same
// change of the document without any computation; to a painted chart, and the drawing's share of
// that; from a cold load to the first answers; the longest task of what a link opens; and opening a
// derivation, as time in the engine and time that drawing takes.

import path from 'node:path';
import { median, quantile } from './quantile.mjs';
import { Failure, root, step } from '../run.mjs';
import { serve } from '../serve.mjs';
import { chromium } from '../setup.mjs';

const events = 200;
/** A chart's event takes five times as long as one of the answers. */
const chartEvents = 100;
const loads = 5;

/** Runs in the page: its functions can see nothing else of this file. */
async function measureEvents(count) {
  const root = document.querySelector('scaling-page').shadowRoot;
  const input = root.querySelector('[data-field="run.chips"]');

  // Measures from within a frame, before its layout, to the first task after its paint.
  const timeToPaint = (change) =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        const start = performance.now();
        port1.onmessage = () => resolve(performance.now() - start);
        change();
        port2.postMessage(undefined);
      });
    });
  const type = (value) => {
    input.value = String(value);
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  };
  const measure = async (change) => {
    const times = [];
    for (let i = 0; i < count; ++i) times.push(await timeToPaint(() => change(i)));
    return times;
  };

  input.focus();
  for (let i = 0; i < 50; ++i) await timeToPaint(() => type(1000 + i));
  const withComputation = await measure((i) => type(1100 + i));

  // The parts of the document that two states differ in, with what each part is in either state.
  const parts = new Map();
  const observer = new MutationObserver((records) => {
    for (const { type: kind, target, attributeName } of records) {
      const change = {
        attributes: () => {
          const value = target.getAttribute(attributeName);
          return () =>
            value === null
              ? target.removeAttribute(attributeName)
              : target.setAttribute(attributeName, value);
        },
        characterData: () => {
          const { data } = target;
          return () => (target.data = data);
        },
        childList: () => {
          const nodes = [...target.childNodes];
          return () => target.replaceChildren(...nodes);
        },
      }[kind];
      const ofTarget = parts.get(target) ?? new Map();
      parts.set(target, ofTarget.set(attributeName ?? kind, change));
    }
  });
  const options = { attributes: true, characterData: true, childList: true, subtree: true };
  observer.observe(root, options);
  const states = [1600, 1700];
  for (const state of [...states, ...states]) await timeToPaint(() => type(state));
  observer.disconnect();
  const changes = [...parts.values()].flatMap((ofTarget) => [...ofTarget.values()]);
  const replays = [];
  for (const state of states) {
    await timeToPaint(() => type(state));
    const { value } = input;
    replays.push([...changes.map((change) => change()), () => (input.value = value)]);
  }
  const bare = await measure((i) => replays[i % 2].forEach((replay) => replay()));
  return { withComputation, bare, parts: changes.length };
}

/** A field of an operation that all of its charts depend on. */
const contraction = { field: 'operation.contraction', from: 1024, by: 8, ready: '.reading' };
const operation = 'view=operation&chip=tpu-v5e';

/**
 * Charts with all that they can hold: 10,000 cells; six lines of 512 points; a cluster of 16,384
 * chips. Of each, a field that is dragged.
 */
const charts = {
  'heat map, 100 x 100': {
    element: 'scaling-heat-map',
    link: `${operation}&chart=heatMap`,
    ...contraction,
  },
  'sweep, 6 x 512': {
    element: 'scaling-sweep',
    link: `${operation}&chart=sweep&lines=op.output:512,1024,2048,4096,8192,16384`,
    ...contraction,
  },
  roofline: {
    element: 'scaling-roofline',
    link: `${operation}&chart=roofline&overlay=h100-sxm,tpu-v5p`,
    ...contraction,
  },
  'training, 16,384 chips': {
    element: 'scaling-drawing',
    link:
      'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T' +
      '&layout.tensor=8&layout.context=2&layout.pipeline=16&layout.sharding=optimizer',
    field: 'run.batchTokens',
    from: 1 << 22,
    by: 1 << 18,
    ready: 'svg',
  },
};

/** Runs in the page: a field is dragged that all of the chart depends on. */
async function measureChart({ element, field, from, by, count }) {
  const root = document.querySelector('scaling-page').shadowRoot;
  const input = root.querySelector(`[data-field="${field}"]`);
  const chart = root.querySelector(element);
  const timeToPaint = (change) =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        const start = performance.now();
        port1.onmessage = () => resolve(performance.now() - start);
        change();
        port2.postMessage(undefined);
      });
    });
  const type = (value) => {
    input.value = String(value);
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  };
  input.focus();
  const drawn = [];
  const whole = [];
  for (let i = 0; i < count; ++i) {
    const time = await timeToPaint(() => type(from + by * (i % 200)));
    drawn.push(chart.data);
    whole.push(time);
  }
  // The same again without what leads to it. A repeated state would give the chart nothing to do.
  const drawing = [];
  for (const data of drawn) drawing.push(await timeToPaint(() => (chart.data = data)));
  const warm = count / 5;
  const alike = new Set(drawn).size < Math.min(count, 200);
  return { whole: whole.slice(warm), drawing: drawing.slice(warm), alike };
}

/** Runs in the page before its own script: adds up what is spent inside the module, which is called
 * through its table. */
function timeModule() {
  const { get } = WebAssembly.Table.prototype;
  let inside = false;
  globalThis.moduleTime = 0;
  WebAssembly.Table.prototype.get = function (index) {
    const call = get.call(this, index);
    if (typeof call !== 'function') return call;
    return (...parts) => {
      if (inside) return call(...parts);
      inside = true;
      const start = performance.now();
      try {
        return call(...parts);
      } finally {
        globalThis.moduleTime += performance.now() - start;
        inside = false;
      }
    };
  };
}

async function chartFigures(open, url) {
  const figures = {};
  for (const [name, { link, ready, ...dragged }] of Object.entries(charts)) {
    const shown = `${dragged.element} ${ready}`;
    const measured = { ...dragged, count: chartEvents };
    const browser = await open();
    const page = await browser.newPage();
    await page.goto(`${url}#${link}`);
    await page.locator(shown).first().waitFor();
    const { whole, drawing, alike } = await page.evaluate(measureChart, measured);
    // The second round times the module, which itself takes time.
    const timed = await browser.newPage();
    await timed.addInitScript(timeModule);
    await timed.goto(page.url());
    await timed.locator(shown).first().waitFor();
    const before = await timed.evaluate(() => globalThis.moduleTime);
    await timed.evaluate(measureChart, measured);
    const computing = ((await timed.evaluate(() => globalThis.moduleTime)) - before) / chartEvents;
    await browser.close();
    if (alike) throw new Failure(`${name}: the chart did not follow the field`);
    for (const [what, times] of Object.entries({ 'event to painted': whole, drawing })) {
      figures[`${name}, ${what}, median (ms)`] = median(times);
      figures[`${name}, ${what}, p99 (ms)`] = quantile(times, 0.99);
    }
    figures[`${name}, computing, mean (ms)`] = computing;
    figures[`${name}, computing / whole`] = computing / median(whole);
    figures[`${name}, drawing / whole`] = median(drawing) / median(whole);
  }
  return figures;
}

/** Runs in the page: microseconds a call, many calls each because its clock is coarse. */
async function measureEngine({ url, input }) {
  const { createEngine } = await import(url);
  const engine = await createEngine();
  const calls = 20;
  const times = [];
  for (let round = 0; round < 1000; ++round) {
    const start = performance.now();
    for (let i = 0; i < calls; ++i) {
      engine.estimate({ ...input, run: { tokens: 1e12 + round * calls + i } });
    }
    times.push(((performance.now() - start) * 1000) / calls);
  }
  return times;
}

/** Runs in the page before its own script. */
function noteFirstAnswers() {
  const look = () => {
    const calculator = document.querySelector('scaling-page');
    if (!calculator?.shadowRoot?.querySelector('[data-verdict] button.said')) {
      return requestAnimationFrame(look);
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (globalThis.firstAnswers = performance.now());
    port2.postMessage(undefined);
  };
  requestAnimationFrame(look);
}

/** A post with the element: from when its script is there to when its answers are painted. */
const post = `<!doctype html>
<script>
  addEventListener('calc-ready', () => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const script = performance.getEntriesByType('resource').find(({ name }) => /embed/.test(name));
      globalThis.elementTime = performance.now() - script.responseEnd;
    };
    port2.postMessage(undefined);
  }));
</script>
<scaling-calculator></scaling-calculator>
<script src="embed.js"></script>`;

async function elementTimes(open, url) {
  const times = [];
  for (let load = 0; load < loads; ++load) {
    const browser = await open();
    const page = await browser.newPage();
    const address = new URL('post.html', url).href;
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: post }));
    await page.goto(address);
    const noted = await page.waitForFunction(() => globalThis.elementTime);
    times.push(await noted.jsonValue());
    await browser.close();
  }
  return times;
}

/** Views that are opened, by their greatest cost: layouts to search, divisors, a chart. */
const opened = {
  training: 'view=training',
  operation: 'view=operation',
  plan: 'view=plan',
  'plan of DeepSeek-V3':
    'view=plan&figures=vendor&chip=h800-sxm&model=deepseek-v3&chips=2048&batch=62914560',
  'plan on a torus of 1e6 an axis':
    'view=plan&chip.torusX=1e6&chip.torusY=1e6&chip.torusZ=1e6&chips=735134400&batch=1e12',
};
const openings = 3;
/** The time after which all that a link shows is there, or is searched for [ms]. */
const settled = 1000;

/** The tasks of the page's thread while `act` goes on, and its marks, in the thread's own time, which
 * a busy machine hardly changes [ms]. A trace of the whole browser takes seconds more to end. */
async function tracedDuring(page, act, categories = ['toplevel']) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const traceConfig = { includedCategories: categories };
  await session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' });
  await act();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const own = events.filter(({ pid, tid }) => threads.has(`${pid} ${tid}`));
  const tasks = own
    .filter(({ name }) => name.endsWith('RunTask'))
    .map(({ tdur = 0 }) => tdur / 1000);
  return { tasks, at: (mark) => own.filter(({ name }) => name === mark).map((m) => m.tts / 1000) };
}

async function longestTask(open, url) {
  const browser = await open();
  const page = await browser.newPage();
  const { tasks } = await tracedDuring(page, async () => {
    await page.goto(url);
    await page.waitForTimeout(settled);
  });
  await browser.close();
  return Math.max(...tasks);
}

/** Answers whose derivations are long. */
const derived = {
  'a plan': ['view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384', 'mfu'],
  'a plan of DeepSeek-V3': [opened['plan of DeepSeek-V3'], 'stepExpected'],
  serving: ['view=serving&chip=h100-sxm&model=llama-3.1-8b', 'tokenTime'],
};

/** Runs in the page before its own script: marks when the engine begins and ends. */
function markModule() {
  const { get } = WebAssembly.Table.prototype;
  let inside = false;
  WebAssembly.Table.prototype.get = function (index) {
    const call = get.call(this, index);
    if (typeof call !== 'function') return call;
    return (...parts) => {
      if (inside) return call(...parts);
      inside = true;
      performance.mark('engine begins');
      try {
        return call(...parts);
      } finally {
        performance.mark('engine ends');
        inside = false;
      }
    };
  };
}

/** Opens a derivation: its tasks, and what of their time the engine takes. */
async function openDerivation(open, url, answer) {
  const browser = await open();
  const page = await browser.newPage();
  await page.addInitScript(markModule);
  await page.goto(url);
  await page.waitForTimeout(settled);
  await page.locator('[data-part="fold why"] > summary').click();
  // The browser's driver compiles its own script when it first looks for an element: before the trace.
  const button = await page.locator(`[data-answer="${answer}"] button.why`).elementHandle();
  // Its sources are drawn last. A locator that waited for it would look through the whole page time
  // and again, in tasks longer than the page's own.
  const act = () =>
    button.evaluate(async (why, last) => {
      why.click();
      while (!why.getRootNode().querySelector(last)) await new Promise(requestAnimationFrame);
    }, `#why-${answer} .sources`);
  const { tasks, at } = await tracedDuring(page, act, ['toplevel', 'blink.user_timing']);
  await browser.close();
  const sum = (times) => times.reduce((all, time) => all + time, 0);
  // A call of the engine may have begun before the trace, whose end alone is marked then.
  const begins = at('engine begins');
  const engine = sum(at('engine ends').filter((end) => end > begins[0])) - sum(begins);
  return { longest: Math.max(...tasks), engine, drawing: sum(tasks) - engine };
}

export async function derivationFigures(open, url) {
  const figures = {};
  for (const [name, [link, answer]] of Object.entries(derived)) {
    const times = [];
    for (let opening = 0; opening < openings; ++opening) {
      times.push(await openDerivation(open, `${url}#${link}`, answer));
    }
    for (const part of ['engine', 'drawing', 'longest']) {
      const what = part === 'longest' ? 'longest task' : part;
      figures[`derivation, ${name}, ${what}, median (ms)`] = median(times.map((t) => t[part]));
    }
  }
  return figures;
}

async function taskFigures(open, url) {
  const figures = {};
  for (const [name, link] of Object.entries(opened)) {
    const times = [];
    for (let i = 0; i < openings; ++i) times.push(await longestTask(open, `${url}#${link}`));
    figures[`longest task, ${name}, median (ms)`] = median(times);
  }
  return figures;
}

export async function pageFigures(input) {
  step('measuring the page in Chromium');
  const { chromium: browsers } = await import('playwright-core');
  const { url, close } = await serve(path.join(root, 'dist'));
  const open = () => browsers.launch({ executablePath: chromium() });
  try {
    const coldLoads = [];
    for (let load = 0; load < loads; ++load) {
      const browser = await open();
      const page = await browser.newPage();
      await page.addInitScript(noteFirstAnswers);
      await page.goto(url);
      const noted = await page.waitForFunction(() => globalThis.firstAnswers);
      coldLoads.push(await noted.jsonValue());
      await browser.close();
    }
    const browser = await open();
    const page = await browser.newPage();
    // A plan takes a search for each event, which is measured by itself.
    await page.goto(`${url}#view=training`);
    await page.locator('[data-verdict] button.said').first().waitFor();
    const engine = await page.evaluate(measureEngine, {
      url: new URL('engine.js', url).href,
      input,
    });
    const { withComputation, bare } = await page.evaluate(measureEvents, events);
    await browser.close();
    const element = await elementTimes(open, url);
    const drawn = await chartFigures(open, url);
    const tasks = await taskFigures(open, url);
    const derivations = await derivationFigures(open, url);
    return {
      'engine in Chromium, estimate, median (µs)': median(engine),
      'engine in Chromium, estimate, p99 (µs)': quantile(engine, 0.99),
      'page, event to painted DOM, median (ms)': median(withComputation),
      'page, event to painted DOM, p99 (ms)': quantile(withComputation, 0.99),
      'page, bare DOM update, median (ms)': median(bare),
      'page, bare DOM update, p99 (ms)': quantile(bare, 0.99),
      'page, event / bare DOM update': median(withComputation) / median(bare),
      'page, cold load to first answers, median (ms)': median(coldLoads),
      'element, script to first answers, median (ms)': median(element),
      'element, script to first answers, slowest (ms)': Math.max(...element),
      ...drawn,
      ...tasks,
      ...derivations,
    };
  } finally {
    await close();
  }
}
