// npm run picture: renews the picture in README.md, a view of the page as it is built.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { build } from './build.mjs';
import { Failure, main, root, step } from './run.mjs';
import { serve } from './serve.mjs';
import { headlessChromium, setUp } from './setup.mjs';

const file = 'web/tools/picture.png';
const size = { width: 1000, height: 660 };
/** Bytes: every clone of the project takes the picture with it. */
const most = 60_000;

function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG with a palette, of pixels (0xAABBGGRR); undefined if they have more than 256 colours. */
function indexed(pixels, { width, height }) {
  const palette = new Map();
  const lines = Buffer.alloc((width + 1) * height); // each behind its filter, which is none
  for (const [place, pixel] of pixels.entries()) {
    if (!palette.has(pixel)) palette.set(pixel, palette.size);
    lines[place + Math.floor(place / width) + 1] = palette.get(pixel);
  }
  if (palette.size > 256) return undefined;
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

/** The picture with as many colours as there is room for. */
function fitted(pixels) {
  for (const grain of [1, 4, 8, 16, 32, 64]) {
    const coarse = (channel) => Math.min(255, Math.round(channel / grain) * grain);
    const coarser = pixels.map((pixel) =>
      [0, 8, 16].reduce((sum, shift) => sum | (coarse((pixel >>> shift) & 255) << shift), 0),
    );
    const picture = indexed(coarser, size);
    if (picture && picture.length <= most) return picture;
  }
  throw new Failure(`the picture has more than ${most} B`);
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
    step('drawing the page');
    const page = await browser.newPage({ viewport: size, locale: 'en-US', colorScheme: 'light' });
    await page.goto(site.url);
    await page.locator('.welcome button').click();
    await page.locator('[data-answer="trainingTime"] .why').click();
    await page.locator('.ladder li').first().waitFor();
    const drawn = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const blank = await browser.newPage();
    const address = `data:image/png;base64,${drawn.toString('base64')}`;
    const picture = fitted(await blank.evaluate(pixelsOf, address));
    step(`writing ${file}, ${picture.length} B`);
    writeFileSync(path.join(root, file), picture);
  } finally {
    await browser.close();
    await site.close();
  }
});
