/** The scripts in common use (Unicode Standard Annex 31, table 5). No text in another one has one script. */
const SINGLE =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';

/** The scripts that one language mixes, and that count as one (Unicode Technical Standard 39, 5.1). */
const MIXED = ['Han Hiragana Katakana', 'Han Bopomofo', 'Han Hangul'];

const classOf = (scripts: string): string =>
  scripts
    .split(' ')
    .map((script) => `\\p{scx=${script}}`)
    .join('');

/**
 * The letters of each script, as in a class of a regular expression. `withLatin`: those of Chinese, Japanese and Korean have
 * Latin ones too (UTS 39, 5.2, "Highly Restrictive").
 */
export const SCRIPTS = [
  ...SINGLE.split(' ').map((script) => ({ own: classOf(script), withLatin: classOf(script) })),
  ...MIXED.map((scripts) => ({ own: classOf(scripts), withLatin: classOf(`Latin ${scripts}`) })),
];
