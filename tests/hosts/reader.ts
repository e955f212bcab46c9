// The parts of a post that feed readers keep: text, links, tables and pictures; no scripts, no styles, no
// elements of anyone's own, of which only the content stays.

/** Runs in a page, for its parser. */
export function sanitised(html: string): string {
  const kept = new Set(
    [
      'a',
      'b',
      'blockquote',
      'br',
      'code',
      'em',
      'h1',
      'h2',
      'h3',
      'i',
      'img',
      'li',
      'ol',
      'p',
    ].concat(['pre', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul']),
  );
  const dropped = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'form']);
  const attributes: Record<string, string[]> = { a: ['href'], img: ['src', 'alt'] };
  const from = new DOMParser().parseFromString(html, 'text/html');
  const to = document.implementation.createHTMLDocument();

  const copy = (source: Node, target: Node): void => {
    for (const node of source.childNodes) {
      if (node instanceof Text) target.appendChild(to.createTextNode(node.data));
      if (!(node instanceof Element) || dropped.has(node.localName)) continue;
      if (!kept.has(node.localName)) {
        copy(node, target);
        continue;
      }
      const element = to.createElement(node.localName);
      for (const name of attributes[node.localName] ?? []) {
        const value = node.getAttribute(name);
        if (value !== null && /^(https?:|#)/.test(value)) element.setAttribute(name, value);
      }
      target.appendChild(element);
      copy(node, element);
    }
  };
  copy(from.body, to.body);
  return to.body.innerHTML;
}
