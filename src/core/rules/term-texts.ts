import { UNSAFE } from '../model/attempt.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { MANAGED_TERMS } from '../model/terms.ts';

/** The same without the ends of lines and the tab, which a text of several lines may have. */
export const UNSAFE_IN_LINES = new RegExp(`[${UNSAFE.source}--[\\n\\r\\t]]`, 'v');

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
export function parseTags(value: unknown): Parsed<string[]> {
  const { maxItems, maxLength } = MANAGED_TERMS.tags;
  if (value === undefined || value === null) return accept([]);
  if (!isArrayOfTexts(value)) return refuse('tags', 'INVALID_TAGS', 'must be an array of texts');
  const tags = [...new Set(value.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  if (tags.length > maxItems)
    return refuse('tags', 'TOO_MANY_TAGS', `must be at most ${maxItems}`, { max: maxItems });
  if (tags.some((tag) => tag.length > maxLength))
    return refuse('tags', 'TAG_TOO_LONG', `must be of at most ${maxLength} characters each`, {
      max: maxLength,
    });
  if (tags.some((tag) => UNSAFE.test(tag) || tag.includes(',') || !tag.isWellFormed()))
    return refuse('tags', 'INVALID_TAGS', 'must not contain commas or control characters');
  return accept(tags);
}

function isArrayOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item: unknown) => typeof item === 'string');
}
