import { completeTargetUrl } from './complete-target-url.ts';

/** Reads a term as people write it, for its kind: a list with commas, a URL also without a scheme, or a text. */
export function readTypedTerm(kind: string | undefined, text: string): string | string[] {
  if (kind === 'tags' || kind === 'addresses') return splitTexts(text);
  return kind === 'url' ? completeTargetUrl(text) : text;
}

function splitTexts(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
