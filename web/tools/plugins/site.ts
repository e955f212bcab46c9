// Tells previews of links where the page lies: most take a picture by its whole address alone.

import type { Plugin } from 'vite';

/** The address of the folder that the page will lie in, from `SITE` in the environment. */
export function siteAddress(given = process.env['SITE']): string | undefined {
  if (!given) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`SITE is an address such as https://example.org/calculator/, not ${given}`);
  }
  return `${url.origin}${url.pathname.replace(/\/?$/, '/')}`;
}

const picture = /(<meta property="og:image" content=")\.\//;

/** The page's picture with its whole address; where that is not known, it stays beside the page. */
export const withAddress = (html: string, address = siteAddress()): string => {
  if (!picture.test(html)) throw new Error('the page names its picture otherwise now');
  if (!address) return html;
  const own = `<meta property="og:url" content="${address}" />`;
  return html.replace(picture, `${own}\n    $1${address}`);
};

export const site = (): Plugin => ({
  name: 'site',
  transformIndexHtml: { order: 'post', handler: (html) => withAddress(html) },
});
