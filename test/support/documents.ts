import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The project directory, with a trailing slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export function readProjectFile(path: string): string {
  return readFileSync(ROOT + path, 'utf8');
}

/** Returns the paths of all files below a project directory whose names have this ending. */
export function filesBelow(directory: string, ending: string): string[] {
  return readdirSync(ROOT + directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(ROOT.length))
    .sort();
}

/** The paths of all documents of the project. */
export const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...filesBelow('docs', '.md'),
];

/** Returns the text below a heading, up to the next heading of the same or a higher level. */
export function sectionOf(document: string, heading: string): string {
  const [, marks = '', text] = new RegExp(`^(#+) ${RegExp.escape(heading)}\n(.*)`, 'ms').exec(document) ?? [];
  if (text === undefined) throw new Error(`There is no heading "${heading}"`);
  const end = text.search(new RegExp(`^#{1,${marks.length}} `, 'm'));
  return end === -1 ? text : text.slice(0, end);
}

/** Returns the body rows of the first table in a text. `\|` is a bar inside a cell. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  if (start === -1) throw new Error('There is no table');
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end === -1 ? undefined : end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

/** Returns the texts in backticks. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Returns the fenced blocks of a language, each with the line on which its text begins. */
export function fencedBlocks(document: string, language: string): { line: number; text: string }[] {
  const blocks = document.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(({ index, 1: text = '' }) => ({
    line: document.slice(0, index).split('\n').length + 1,
    text,
  }));
}
