// Notes what the calculator does from here on: events, compiled modules, when its script begins.
window.seen = { events: [], compiled: 0 };
for (const name of ['calc-ready', 'calc-change', 'calc-error']) {
  document.addEventListener(name, ({ target, detail }) => {
    window.seen.events.push({ name, id: target.id, detail, at: performance.now() });
  });
}
for (const name of ['compile', 'instantiate', 'Module']) {
  const own = WebAssembly[name];
  WebAssembly[name] = new Proxy(own, {
    apply: (target, self, values) => (
      (window.seen.compiled += 1),
      Reflect.apply(target, self, values)
    ),
    construct: (target, values) => ((window.seen.compiled += 1), Reflect.construct(target, values)),
  });
}
const define = customElements.define;
customElements.define = (...values) => {
  window.seen.defined ??= performance.now();
  return define.apply(customElements, values);
};
