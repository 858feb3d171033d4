import { SCRIPTS } from '../scripts.ts';

// Names of people: UsernameCaseMapped (RFC 8265, 3.3), with letters of one script.

const OF_OTHER_WIDTH = /[\u3000\uff01-\uffee]/g;

/** Returns a name as it is stored and compared. Applied again, it changes nothing. */
export function toPersonName(text: string): string {
  const ofWidth = text.replace(OF_OTHER_WIDTH, (character) => character.normalize('NFKC'));
  return ofWidth.toLowerCase().normalize('NFC');
}

/** Returns a name as it is shown. `toPersonName` returns the same for it as for the text, without white space at its ends. */
export const toDisplayName = (text: string): string => text.trim().normalize('NFC');

/** Returns the name with which a person signs in: as it is shown, if the two are compared as equal. People choose what is shown. */
export const toSignInName = ({ name, displayName }: { name: string; displayName: string }): string =>
  toPersonName(displayName) === name ? displayName : name;

/** The characters of IdentifierClass (RFC 8264, 4.2 and 9), and single spaces between parts (RFC 8265, 3.5). */
const IDENTIFIER =
  /^(?:[ -~\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u06fd\u06fe\u0f0b\u3007]|(?<=l)\u00b7(?=l)|\u0375(?=\p{sc=Greek})|(?<=\p{sc=Hebrew})[\u05f3\u05f4]|(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])\u30fb)+$/u;
/** Its exceptions, conjoining jamo, and a mark without its letter. */
const FORBIDDEN =
  /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]|(?:^| )\p{M}/u;
const OF_ONE_SCRIPT = SCRIPTS.map(({ own }) => new RegExp(`^[\\x20-@\\x5b-\\x60\\x7b-~${own}]*$`, 'u'));

const RIGHT_TO_LEFT = /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Thaana}]/u;
const DIGITS = [/[0-9]/, /[\u0660-\u0669]/, /[\u06f0-\u06f9]/];

/** Returns whether the parts of a name that are written from right to left begin and end so (RFC 5893, 2), with digits of one kind. */
function isReadOneWay(name: string): boolean {
  const parts = name.split(' ').filter((part) => RIGHT_TO_LEFT.test(part));
  const isBounded = (part: string) => /^\p{L}/u.test(part) && /[\p{L}\p{Nd}\u05f3\u05f4]\p{M}*$/u.test(part);
  return (
    parts.length === 0 || (parts.every(isBounded) && DIGITS.filter((kind) => kind.test(name)).length < 2)
  );
}

/** Returns whether a text, as `toPersonName` returns it, may name a person. Its length is another rule. */
export function isPersonName(name: string): boolean {
  return (
    name === name.normalize('NFKC') && // without compatible characters, such as a ligature
    IDENTIFIER.test(name) &&
    !FORBIDDEN.test(name) &&
    OF_ONE_SCRIPT.some((pattern) => pattern.test(name)) &&
    isReadOneWay(name)
  );
}
