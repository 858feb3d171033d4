import { completeTargetUrl } from './complete-target-url.ts';

/**
 * Reads a term as people write it, for its kind: a list with commas, of addresses also with semicolons or white space, a URL
 * also without a scheme, or a text.
 */
export function readTypedTerm(kind: string | undefined, text: string): string | string[] {
  if (kind === 'tags') return splitTexts(text, ',');
  if (kind === 'addresses') return splitTexts(text, /[\s,;]/);
  return kind === 'url' ? completeTargetUrl(text) : text;
}

function splitTexts(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
