import { accept } from '../links/rules/parsed.ts';
import { type Parser, refuse } from './parsers.ts';

const MAX_NAME_CHARACTERS = 40;

/** Parses the name that the pages show in place of "Postern". */
export const parseBrandName: Parser<string> = (text) => {
  const name = text.trim();
  const isValid = name.isWellFormed() && !/\p{Cc}/u.test(name);
  return isValid && name.length >= 1 && name.length <= MAX_NAME_CHARACTERS
    ? accept(name)
    : refuse(`must be a name of 1 to ${MAX_NAME_CHARACTERS} characters without control characters`);
};

/** Parses a hex colour as in CSS. The value has six digits in lower case. */
export const parseBrandColor: Parser<string> = (text) => {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) {
    return refuse('must be a CSS hex colour with 3 or 6 digits, such as #0b5394');
  }
  const digits = text.slice(1).toLowerCase();
  return accept(`#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`);
};
