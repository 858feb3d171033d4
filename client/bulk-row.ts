import { completeTargetUrl } from './complete-target-url.ts';
import { needsConfirmation } from './confirmation.ts';
import { readTime } from './times.ts';
import { readTypedTerm } from './typed-term.ts';

const FLAGS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

/** Reads a cell that is yes or no. Returns undefined for a text that is neither. */
export function readFlag(text: string): boolean | undefined {
  return FLAGS.get(text.toLowerCase());
}

/** The rules for the cells of a row. `kinds`: of the columns. `confirm`: for a link whose cell is empty. */
export type RowReading = {
  kinds: Readonly<Record<string, string>>;
  now: number;
  confirm?: boolean | undefined;
  hasViewLimit?: boolean;
};

/**
 * Returns the members of the link that a row asks for. A text that its column cannot have is sent unchanged: the service
 * returns the error.
 */
export function toBulkItem(
  cells: Readonly<Record<string, string | undefined>>,
  { kinds, now, confirm, hasViewLimit = false }: RowReading,
): Record<string, unknown> & { targetUrl: string } {
  const { targetUrl = '', ...others } = cells;
  const given = Object.entries(others).flatMap(([name, text]) =>
    text ? [[name, toValue(kinds[name], text, now)] as const] : [],
  );
  const members = Object.fromEntries<unknown>(given);
  const { maxViews, confirm: chosen = confirm } = members;
  const isLimited = hasViewLimit || maxViews !== undefined;
  const isChoice = chosen === undefined || typeof chosen === 'boolean';
  return {
    targetUrl: completeTargetUrl(targetUrl),
    ...members,
    confirm: isChoice ? needsConfirmation(chosen, isLimited) : chosen,
  };
}

function toValue(kind: string | undefined, text: string, now: number): unknown {
  switch (kind) {
    case 'instant':
      return readTime(text, now) ?? text;
    case 'count':
      return /^-?\d{1,10}$/.test(text) ? Number(text) : text;
    case 'flag':
      return readFlag(text) ?? text;
    default:
      return readTypedTerm(kind, text);
  }
}
