/** What stands between and around mail addresses in a text that people write, beside names. */
const SEPARATORS = /[\s,;:<>()"]+/;

/** Returns whether a word is meant as a mail address. */
function isAddress(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && at < word.length - 1;
}

/** Returns the mail addresses in a text, each once. */
export function findAddresses(text: string): string[] {
  const addresses = text.split(SEPARATORS).filter(isAddress);
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

/** Returns the words of a text that are no mail addresses. */
export function withoutAddresses(text: string): string {
  const words = text.split(SEPARATORS).filter((word) => !isAddress(word));
  return words.join(' ').trim();
}
