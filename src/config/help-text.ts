import { PROPERTIES } from './properties.ts';
import { environmentName, type Property } from './property.ts';

const HEADINGS = ['property', 'environment', 'default', 'meaning'] as const;

const RULES = `\
Each property is set by a flag (--app.base-url=...), which wins, or in the environment (APP_BASE_URL=...). The
environment may also name a file that holds the value, with _FILE after the name (APP_DATABASE_URL_FILE=...).
--help prints this text, --version the version.
`;

/** Returns the text of `--help` after its usage: the rules, then an aligned line for every property. */
export function helpText(): string {
  const rows = [
    HEADINGS,
    ...Object.values(PROPERTIES).map((property) => {
      const { name, shown, meaning } = property;
      return [name, environmentNames(property).join(' or '), shown, meaning];
    }),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${RULES}\n${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Returns the README's table of properties, in Markdown; it ends with a newline. */
export function configTable(): string {
  const code = (text: string) => `\`${text}\``;
  const rows = Object.values(PROPERTIES).map((property) => [
    code(property.name),
    environmentNames(property).map(code).join(' or '),
    property.shown.startsWith('(') ? escapeMarkdown(property.shown) : code(property.shown),
    escapeMarkdown(property.meaning),
  ]);
  const divider = HEADINGS.map(() => '---');
  return [HEADINGS, divider, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function environmentNames(property: Pick<Property<unknown>, 'name' | 'alias'>): string[] {
  return [environmentName(property), ...(property.alias ? [property.alias] : [])];
}

function escapeMarkdown(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll(/[|*]/g, '\\$&');
}
