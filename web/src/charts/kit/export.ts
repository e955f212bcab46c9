// Charts as files: SVG that needs no style sheet, PNG of it, CSV of the data.

import { wrap } from './text.ts';

/** The style sheet's rules for drawings, to be written into each node. */
const properties: [name: string, initial: string][] = [
  ['fill', 'rgb(0, 0, 0)'],
  ['fill-opacity', '1'],
  ['stroke', 'none'],
  ['stroke-width', '1px'],
  ['stroke-dasharray', 'none'],
  ['stroke-linecap', 'butt'],
  ['stroke-linejoin', 'miter'],
  ['stroke-opacity', '1'],
  ['vector-effect', 'none'],
  ['opacity', '1'],
  ['font-size', '16px'],
  ['font-weight', '400'],
  ['text-anchor', 'start'],
  ['paint-order', 'normal'],
  ['shape-rendering', 'auto'],
];
/** Attributes that draw; all others are for the page. */
const drawn =
  /^(d|x|y|dx|dy|x1|x2|y1|y2|cx|cy|r|width|height|points|transform|id|patternUnits|patternTransform|viewBox|fill|clip-path)$/;

const namespace = 'http://www.w3.org/2000/svg';

function element(name: string, attributes: Record<string, string | number>, text?: string) {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** A node as it looks, without the page around it; undefined if it cannot be seen. */
function copy(node: Element, inherited: Map<string, string>): Element | undefined {
  const style = getComputedStyle(node);
  // Patterns are never displayed themselves.
  const definition = node.closest('defs') !== null;
  if (node.hasAttribute('data-transient') || (!definition && style.display === 'none')) return;
  const made = document.createElementNS(namespace, node.localName);
  for (const { name, value } of node.attributes)
    if (drawn.test(name)) made.setAttribute(name, value);
  const own = new Map(inherited);
  for (const [name] of properties) {
    const value = style.getPropertyValue(name);
    // A paint that refers to a pattern is resolved against the page's address; the attribute is not.
    if (value.startsWith('url(')) continue;
    own.set(name, value);
    // Shapes draw and groups hand down; what a parent has already said need not be said again.
    if (inherited.get(name) !== value) made.setAttribute(name, value);
  }
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent ?? '');
    else if (child instanceof Element) {
      const copied = copy(child, notInherited(own));
      if (copied) made.append(copied);
    }
  }
  return made;
}

/** Opacity and the like are not handed down. */
function notInherited(values: Map<string, string>): Map<string, string> {
  const handed = new Map(values);
  for (const name of ['opacity', 'vector-effect']) {
    handed.set(name, properties.find(([each]) => each === name)![1]);
  }
  return handed;
}

interface Picture {
  layers: SVGSVGElement[];
  title: string;
  description: string;
  width: number;
  height: number;
}

const margin = 16;
const lineHeight = 22;

/** A drawing as text of an SVG file, with its title on top and the page's ground under it. */
export function svgText({ layers, title, description, width, height }: Picture): string {
  const { fontFamily, color, backgroundColor } = getComputedStyle(layers[0]!);
  const lines = wrap(title, `600 15px ${fontFamily}`, width);
  const top = margin + lines.length * lineHeight;
  const size = { width: width + 2 * margin, height: top + height + margin };
  const root = element('svg', {
    xmlns: namespace,
    viewBox: `0 0 ${size.width} ${size.height}`,
    ...size,
    'font-family': fontFamily,
    role: 'img',
  });
  root.append(
    element('title', {}, title),
    element('desc', {}, description),
    element('rect', { ...size, fill: backgroundColor }),
    ...lines.map((line, index) =>
      element(
        'text',
        {
          x: margin,
          y: margin + 12 + index * lineHeight,
          fill: color,
          'font-size': '15px',
          'font-weight': '600',
        },
        line,
      ),
    ),
  );
  for (const layer of layers) {
    const group = element('g', { transform: `translate(${margin} ${top})` });
    for (const child of layer.children) {
      const copied = copy(child, new Map(properties));
      if (copied) group.append(copied);
    }
    root.append(group);
  }
  return new XMLSerializer().serializeToString(root);
}

/** Pixels of the picture for each of the chart's. */
const density = 2;

export async function png(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * density;
  canvas.height = image.naturalHeight * density;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture')))),
  );
}

export function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Browsers that ask where to put the file still read it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
