import { readFileSync } from 'node:fs';

/** A package as Vite lists it. `text` is missing where the package has no file with its licence. */
type Licensed = { name: string; version: string; identifier?: string; text?: string };

const HEADING = `# Licences of other software

Postern contains code of these packages, each under its own licence.
`;

/** Files of the API reference, which its package has built from others. */
const SWAGGER_UI = 'swagger-ui (files of the API reference; Apache-2.0)';

/** Returns the licences of all packages in these lists of Vite. Packages with the same text share it. */
export function licensesAsText(lists: readonly string[]): string {
  const packages: Licensed[] = lists.flatMap((list) => JSON.parse(readFileSync(list, 'utf8')));
  const byText = Map.groupBy(packages, ({ text = '' }) => text.trim());
  const sections = [...byText].map(([text, sharers]) => {
    const names = new Set(
      sharers.map(({ name, version, identifier }) => `${name} ${version} (${identifier})`),
    );
    return `## ${[...names].join(', ')}\n\n${text === '' ? 'The package has no text of its licence.' : text}\n`;
  });
  return [HEADING, ...sections, `## ${SWAGGER_UI}\n\nSee the text of the Apache License above.\n`].join('\n');
}
