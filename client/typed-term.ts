import { completeTargetUrl } from './complete-target-url.ts';

/** Reads a term as people write it, for its kind: tags with commas between them, a URL also without a scheme, or a text. */
export function readTypedTerm(kind: string | undefined, text: string): string | string[] {
  if (kind === 'tags') return splitTags(text);
  return kind === 'url' ? completeTargetUrl(text) : text;
}

function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
