/** Defines an element, unless another script of the page has: they bring the same. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}
