import { termOf } from '../../src/core/model/terms.ts';
import type { Draft } from './draft.ts';

/**
 * The parameters with which other pages and apps open this page, in its address before or after the `#`. What follows that
 * is sent to no server. The manifest of the service names them, too.
 */
const NAMES = ['url', 'text', 'label'] as const;

/** Says that the user has just set a first password. */
const WELCOME = 'welcome';

export const isWelcome = (): boolean => new URLSearchParams(location.search).has(WELCOME);

/** Returns what the parameters of an address put into the form. They never submit it. */
export function readParameters({ search, hash }: Pick<URL, 'search' | 'hash'>): Partial<Draft> {
  const given = new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`);
  const [url, text, label] = NAMES.map((name) => (given.get(name) ?? '').trim());
  // Many apps share an address as a text.
  const address = url || (text && /^https?:\/\/\S+$/i.test(text) ? text : '');
  const title = label?.replace(/\s+/g, ' ').slice(0, termOf('label').maxLength);
  return {
    ...(address && { source: { kind: 'URL', text: address } }),
    ...(text && !address && { source: { kind: 'TEXT', text, isOneLine: false }, viewLimit: 'ONCE' }),
    ...(title && { label: title }),
  };
}

/** Removes the parameters from the address bar, so that a copied address or a reload does not repeat them. */
export function removeParameters(): void {
  const url = new URL(location.href);
  const after = new URLSearchParams(url.hash.slice(1));
  for (const name of [...NAMES, WELCOME]) url.searchParams.delete(name);
  if (NAMES.some((name) => after.has(name))) url.hash = '';
  if (url.href !== location.href) history.replaceState(null, '', url);
}
