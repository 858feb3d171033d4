/** Longer titles are cut at the end of a word. */
const MAX_CHARACTERS = 60;
/** What begins an item of a list: "- ", "* ", "1. ", "2) ". */
const LIST_MARK = /^(?:[-–—*•·]|\d{1,2}[.)])\s+/;

/** Returns the message of a file request in one line, by which people know the request: "Please send: passport, lease". */
export function titleOfRequest(message: string): string {
  const lines = message.split(/[\r\n]+/).map((line) => line.replaceAll(/\s+/g, ' ').trim());
  let title = '';
  let isInList = false;
  for (const line of lines.filter(Boolean)) {
    if (title !== '') title += separatorBetween(title, line, isInList);
    isInList ||= LIST_MARK.test(line) || line.endsWith(':');
    title += line.replace(LIST_MARK, '').replace(/[;,]$/, '');
  }
  return cutAtWord(title);
}

function separatorBetween(title: string, line: string, isInList: boolean): string {
  if (/[:.!?…]$/.test(title)) return ' ';
  if (isInList) return ', ';
  if (LIST_MARK.test(line)) return ': ';
  return /^\p{Lu}/u.test(line) ? ', ' : ' '; // another thing, or the rest of a sentence
}

function cutAtWord(title: string): string {
  const characters = Array.from(title);
  if (characters.length <= MAX_CHARACTERS) return title;
  const cut = characters.slice(0, MAX_CHARACTERS + 1).join('');
  const end = cut.search(/\s\S*$/);
  const kept = end > 0 ? cut.slice(0, end).replace(/(?<![\s,;:])[\s,;:]+$/, '') : '';
  return `${kept || characters.slice(0, MAX_CHARACTERS).join('')}…`;
}
