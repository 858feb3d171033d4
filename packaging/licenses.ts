import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../web/sources.ts';

/** A package as Vite lists it. `text` is missing where the package has no file with its licence. */
type Licensed = { name: string; version: string; identifier?: string; text?: string };

const HEADING = `# Licences of other software

Postern contains code of these packages, each under its own licence.
`;

/** Returns the licences of all packages in these lists of Vite, and of others. Packages with the same text share it. */
export function licensesAsText(lists: readonly string[], others: readonly string[] = []): string {
  const listed: Licensed[] = lists.flatMap((list) => JSON.parse(readFileSync(list, 'utf8')));
  const packages = [...listed, ...others.map(readLicense)];
  const byText = Map.groupBy(packages, ({ text = '' }) => text.trim());
  const sections = [...byText].map(([text, sharers]) => {
    const names = new Set(
      sharers.map(({ name, version, identifier }) => `${name} ${version} (${identifier})`),
    );
    return `## ${[...names].join(', ')}\n\n${text === '' ? 'The package has no text of its licence.' : text}\n`;
  });
  return [HEADING, ...sections].join('\n');
}

function readLicense(name: string): Licensed {
  const read = (file: string) => readFileSync(join(PROJECT, 'node_modules', name, file), 'utf8');
  const { version, license }: { version: string; license: string } = JSON.parse(read('package.json'));
  return { name, version, identifier: license, text: read('LICENSE') };
}
