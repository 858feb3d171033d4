import { UNSAFE } from '../model/attempt.ts';
import type { LinkLabels } from '../model/link.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';

// Labels are notes of the people who manage a link. They do not change how the link opens.

/** The longest texts, in characters (UTF-16 units). */
export const LABEL_BOUNDS = { label: 200, note: 2_000, recipient: 200, tag: 50, tags: 20 } as const;

/** The same without the ends of lines and the tab, which a note may have. */
export const UNSAFE_IN_NOTE = new RegExp(`[${UNSAFE.source}--[\\n\\r\\t]]`, 'v');

/** The rules of the labels of a link. A member that is absent, null or blank is none. */
export const LABEL_RULES = {
  label: (value: unknown) => parseText('label', value, { max: LABEL_BOUNDS.label }),
  note: (value: unknown) => parseText('note', value, { max: LABEL_BOUNDS.note, unsafe: UNSAFE_IN_NOTE }),
  tags: parseTags,
  recipient: (value: unknown) => parseText('recipient', value, { max: LABEL_BOUNDS.recipient }),
} satisfies { [Name in keyof LinkLabels]: (value: unknown) => Parsed<LinkLabels[Name]> };

/** Reads a text. One that is absent, null or blank is none. @param unsafe what it must not contain */
export function parseText(
  field: string,
  value: unknown,
  { max, unsafe = UNSAFE }: { max: number; unsafe?: RegExp },
): Parsed<string | null> {
  if (value === undefined || value === null) return accept(null);
  if (typeof value !== 'string') return refuse(field, 'NOT_A_TEXT', 'must be a text');
  const text = value.trim();
  if (text.length > max) return refuse(field, 'TEXT_TOO_LONG', `must be at most ${max} characters`, { max });
  if (unsafe.test(text) || !text.isWellFormed())
    return refuse(field, 'TEXT_HAS_CONTROL_CHARACTERS', 'must not contain control characters');
  return accept(text === '' ? null : text);
}

/** Reads tags: an array of texts. Repeated ones count once. */
function parseTags(value: unknown): Parsed<string[]> {
  if (value === undefined || value === null) return accept([]);
  if (!isArrayOfTexts(value)) return refuse('tags', 'INVALID_TAGS', 'must be an array of texts');
  const tags = [...new Set(value.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  if (tags.length > LABEL_BOUNDS.tags)
    return refuse('tags', 'TOO_MANY_TAGS', `must be at most ${LABEL_BOUNDS.tags}`, {
      max: LABEL_BOUNDS.tags,
    });
  if (tags.some((tag) => tag.length > LABEL_BOUNDS.tag))
    return refuse('tags', 'TAG_TOO_LONG', `must be of at most ${LABEL_BOUNDS.tag} characters each`, {
      max: LABEL_BOUNDS.tag,
    });
  if (tags.some((tag) => UNSAFE.test(tag) || tag.includes(',') || !tag.isWellFormed()))
    return refuse('tags', 'INVALID_TAGS', 'must not contain commas or control characters');
  return accept(tags);
}

function isArrayOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item: unknown) => typeof item === 'string');
}
