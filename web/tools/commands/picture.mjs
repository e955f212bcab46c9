// npm run picture: renews the picture in README.md and the one that previews of links show, views of
// the page as it is built.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { build } from './build.mjs';
import { Failure, main, root, step } from '../run.mjs';
import { serve } from '../serve.mjs';
import { headlessChromium, setUp } from '../setup.mjs';

const drawn =
  '#view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&batch=16777216&sequence=8192';

/** The pictures; every clone of the project takes them with it, so that they have a size in bytes. */
const pictures = [
  {
    file: 'web/tools/picture.png',
    size: { width: 1000, height: 760 },
    most: 100_000,
    link: drawn,
    prepare: (page) => page.locator('scaling-drawing svg').first().waitFor(),
  },
  {
    file: 'web/public/preview.png',
    size: { width: 1200, height: 630 },
    most: 150_000,
    link: drawn,
    prepare: (page) => page.locator('scaling-drawing svg').first().waitFor(),
  },
];

function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG with a palette, of pixels (0xAABBGGRR) of at most 256 colours. */
function indexed(pixels, { width, height }) {
  const palette = new Map();
  const lines = Buffer.alloc((width + 1) * height); // each behind its filter, which is none
  for (const [place, pixel] of pixels.entries()) {
    if (!palette.has(pixel)) palette.set(pixel, palette.size);
    lines[place + Math.floor(place / width) + 1] = palette.get(pixel);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // 8 bits a pixel, a palette
  const colours = [...palette.keys()].flatMap((pixel) =>
    [0, 8, 16].map((shift) => (pixel >>> shift) & 255),
  );
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours)),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The pixels in as many colours: those that most have, for each of the others the nearest. */
function inColours(pixels, most) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const kept = [...counts.keys()]
    .sort((one, other) => counts.get(other) - counts.get(one))
    .slice(0, most);
  const apart = (one, other) =>
    [0, 8, 16].reduce(
      (sum, shift) => sum + (((one >>> shift) & 255) - ((other >>> shift) & 255)) ** 2,
      0,
    );
  const drawn = new Map(kept.map((colour) => [colour, colour]));
  for (const colour of counts.keys()) {
    if (drawn.has(colour)) continue;
    const near = kept.reduce((a, b) => (apart(colour, b) < apart(colour, a) ? b : a));
    drawn.set(colour, near);
  }
  return pixels.map((pixel) => drawn.get(pixel));
}

/** The picture with as many colours as there is room for. */
function fitted(pixels, { size, most, file }) {
  for (const colours of [256, 128, 64, 32]) {
    const picture = indexed(inColours(pixels, colours), size);
    if (picture.length <= most) return picture;
  }
  throw new Failure(`${file} would have more than ${most} B`);
}

/** Runs in a page: the pixels of a picture. */
async function pixelsOf(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return [...new Uint32Array(data.buffer)];
}

await main(import.meta, async () => {
  await setUp('build', 'browser');
  await build();
  const site = await serve(path.join(root, 'dist'));
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: headlessChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const blank = await browser.newPage();
    for (const wanted of pictures) {
      const { file, size, link, prepare } = wanted;
      step(`drawing ${file}`);
      const page = await browser.newPage({ viewport: size, locale: 'en-US', colorScheme: 'light' });
      await page.goto(site.url + link);
      await prepare(page);
      const drawn = await page.screenshot({ animations: 'disabled', caret: 'hide' });
      const address = `data:image/png;base64,${drawn.toString('base64')}`;
      const picture = fitted(await blank.evaluate(pixelsOf, address), wanted);
      step(`writing ${file}, ${picture.length} B`);
      writeFileSync(path.join(root, file), picture);
    }
  } finally {
    await browser.close();
    await site.close();
  }
});
