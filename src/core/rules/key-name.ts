import { accept, type Parsed } from '../model/parsed.ts';
import { INITIAL_KEY_NAME } from '../model/people/api-key.ts';

const MAX_NAME_CHARACTERS = 64;

/** Control, direction and other invisible characters, and every space but single U+0020: two names must not look the same. */
const INVISIBLE = /\p{C}|\p{Default_Ignorable_Code_Point}|(?! )\p{Z}| {2}/u;

/** Clients leave these out of a path, so no request could name them. */
const DOTS = /^\.{1,2}$/;

/** Parses the name of a key. The value is in Unicode's composed form. The error says what a name must be. */
export function parseKeyName(text: string, maxCharacters = MAX_NAME_CHARACTERS): Parsed<string, string> {
  const name = text.normalize('NFC');
  const characters = [...name].length;
  if (characters === 0 || characters > maxCharacters || INVISIBLE.test(name) || name.trim() !== name) {
    return {
      ok: false,
      error: `must be 1 to ${maxCharacters} visible characters, without a space at either end or two in a row`,
    };
  }
  if (DOTS.test(name)) return { ok: false, error: 'must have more than dots' };
  if (name.toLowerCase() === INITIAL_KEY_NAME) {
    return { ok: false, error: 'is reserved for the key of app.access.initial-key; choose another name' };
  }
  return accept(name);
}
