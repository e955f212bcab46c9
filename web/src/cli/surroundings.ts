// The page's parts name a few things of browsers as they load. Node lacks these, and a program that
// writes text uses none of them: each stands here only so that it can be named.

class Nothing {}

Object.assign(globalThis, {
  HTMLElement: Nothing,
  CSSStyleSheet: class {
    replaceSync(): void {}
  },
  OffscreenCanvas: class {
    getContext(): object {
      return {};
    }
  },
  customElements: { get: () => Nothing, define: () => {} },
  document: { createElement: () => ({}), createTreeWalker: () => ({}) },
  // Searches go on behind frames.
  requestAnimationFrame: (draw: () => void) => setTimeout(draw),
  cancelAnimationFrame: clearTimeout,
});
