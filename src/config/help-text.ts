import { environmentName, PROPERTIES } from './properties.ts';

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
      const alias = property.alias ? ` or ${property.alias}` : '';
      return [property.name, environmentName(property) + alias, property.shown, property.meaning];
    }),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return `${RULES}\n${rows.map((row) => line(row).trimEnd()).join('\n')}\n`;
}

/** Returns the README's table of properties, in Markdown; it ends with a newline. */
export function configTable(): string {
  const rows = Object.values(PROPERTIES).map((property) => {
    const alias = property.alias ? ` or \`${property.alias}\`` : '';
    const isValue = !property.shown.startsWith('(');
    return [
      `\`${property.name}\``,
      `\`${environmentName(property)}\`${alias}`,
      isValue ? `\`${property.shown}\`` : escapeMarkdown(property.shown),
      escapeMarkdown(property.meaning),
    ];
  });
  const divider = HEADINGS.map(() => '---');
  return [HEADINGS, divider, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll(/[|*]/g, '\\$&');
}
