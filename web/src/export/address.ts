// The address of the calculator, and addresses that follow from it.

interface Place {
  protocol: string;
  origin: string;
  pathname: string;
}

const isWeb = (protocol: string): boolean => protocol === 'https:' || protocol === 'http:';

/** The page's own address without what follows ? and #; empty for one that was opened from a disk. */
export const addressOf = ({ protocol, origin, pathname }: Place): string =>
  isWeb(protocol) ? origin + pathname : '';

/** Whether others can open it, too. */
export const isPublic = (address: string): boolean =>
  address !== '' &&
  !/^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(new URL(address).hostname);

/** An address as typed: with its scheme, without ? and #; undefined if it is none. */
export function readAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (!text) return undefined;
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  if (!isWeb(url.protocol) || url.username || url.password) return undefined;
  // A folder is meant unless a file is named.
  const path = url.pathname.replace(/\/([^/.]+)$/, '/$1/');
  return url.origin + path;
}

/** The folder in which the calculator's files lie. */
export const folderOf = (address: string): string => new URL('.', address).href;

export const linkTo = (address: string, link: string): string =>
  link ? `${address}#${link}` : address;
