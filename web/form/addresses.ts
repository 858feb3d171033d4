/** What looks like a mail address in a text that people write: a name and brackets may stand around it. */
const ADDRESS = /[^\s,;:<>()"]+@[^\s,;:<>()"]+/g;

/** Returns the mail addresses in a text, each once. */
export function findAddresses(text: string): string[] {
  const found = new Map((text.match(ADDRESS) ?? []).map((address) => [address.toLowerCase(), address]));
  return [...found.values()];
}

/** Returns a text without its mail addresses, and without what separated them. */
export function withoutAddresses(text: string): string {
  const rest = text.replace(ADDRESS, ' ').replace(/[\s,;<>()"]+/g, ' ');
  return rest.trim();
}
