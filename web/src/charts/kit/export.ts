// Charts as files: SVG that needs no style sheet, PNG of it, CSV of the data.

import { ofXml } from '../../export/escape.ts';
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
  ['stop-color', 'rgb(0, 0, 0)'],
  ['stop-opacity', '1'],
  ['shape-rendering', 'auto'],
];
/** Attributes that draw; all others are for the page. */
const drawn =
  /^(d|x|y|dx|dy|x1|x2|y1|y2|cx|cy|r|width|height|points|transform|id|patternUnits|patternTransform|viewBox|fill|clip-path|offset)$/;

/** Colours as all viewers of SVG read them, which know no mixtures. */
function plain(value: string): string {
  if (!/^(oklab|oklch|lab|lch|color|color-mix)\(/.test(value)) return value;
  const pixel = new OffscreenCanvas(1, 1).getContext('2d')!;
  pixel.fillStyle = value;
  pixel.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

const namespace = 'http://www.w3.org/2000/svg';

function element(name: string, attributes: Record<string, string | number>, text?: string) {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = ofXml(text);
  return made;
}

/** A node as it looks, without the page around it; undefined if it cannot be seen. */
function copy(node: Element, inherited: Map<string, string>): Element | undefined {
  const style = getComputedStyle(node);
  // Patterns are never displayed themselves.
  const definition = node.closest('defs') !== null;
  if (node.hasAttribute('data-transient') || (!definition && style.display === 'none')) return;
  const made = document.createElementNS(namespace, node.localName);
  for (const { name, value } of node.attributes) {
    // Of paints only patterns are taken as they are written.
    const isPaint = name === 'fill' && !value.startsWith('url(');
    if (drawn.test(name) && !isPaint) made.setAttribute(name, value);
  }
  const own = new Map(inherited);
  for (const [name] of properties) {
    const value = plain(style.getPropertyValue(name));
    // A paint that refers to a pattern is resolved against the page's address; the attribute is not.
    if (value.startsWith('url(')) continue;
    own.set(name, value);
    // Shapes draw and groups hand down; what a parent has already said need not be said again.
    if (inherited.get(name) !== value) made.setAttribute(name, value);
  }
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(ofXml(child.textContent ?? ''));
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
  for (const name of ['opacity', 'vector-effect', 'stop-color', 'stop-opacity']) {
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

interface Size {
  width: number;
  height: number;
}

/** The file of a picture on the ground of `on`, by its size. */
function file(
  on: Element,
  { title, description }: Pick<Picture, 'title' | 'description'>,
  size: Size,
  content: readonly Element[],
): string {
  const { fontFamily, backgroundColor } = getComputedStyle(on);
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
    ...content,
  );
  return new XMLSerializer().serializeToString(root);
}

const copied = (drawing: SVGSVGElement): Element[] =>
  [...drawing.children].flatMap((child) => copy(child, new Map(properties)) ?? []);

/** A drawing as text of an SVG file, with its title on top and the page's ground under it. */
export function svgText({ layers, title, description, width, height }: Picture): string {
  const { fontFamily, color } = getComputedStyle(layers[0]!);
  const lines = wrap(title, `600 15px ${fontFamily}`, width);
  const top = margin + lines.length * lineHeight;
  const size = { width: width + 2 * margin, height: top + height + margin };
  const titles = lines.map((line, index) =>
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
  );
  const groups = layers.map((layer) => {
    const group = element('g', { transform: `translate(${margin} ${top})` });
    group.append(...copied(layer));
    return group;
  });
  return file(layers[0]!, { title, description }, size, [...titles, ...groups]);
}

/** A picture that has its title in it, as text of an SVG file. */
export function svgFile(drawing: SVGSVGElement, title: string, description: string): string {
  const { width, height } = drawing.viewBox.baseVal;
  return file(drawing, { title, description }, { width, height }, copied(drawing));
}

/** A picture of pixels: `density` of them for each of the drawing's. */
export async function png(svg: string, density = 2): Promise<Blob> {
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
