import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { PROJECT } from '../web/sources.ts';
import { filesBelow, IMAGE, MANIFEST, NAME_OF_REPOSITORY } from './places.ts';

// Version and repository are those of package.json. `npm run docs` writes them wherever documents and deploy/ name them.

/** How documents name the repository, the image and its tag. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [
    /(?<=(?:github\.com\/|shields\.io\/github\/v\/release\/|--repo=))[\w-]+\/postern(?![\w-])/g,
    NAME_OF_REPOSITORY,
  ],
  [/ghcr\.io\/[\w-]+\/postern(?![\w-])/g, IMAGE],
  [/(?<=ghcr\.io\/[\w-]+\/postern:)\d[\w.-]*/g, MANIFEST.version],
  [/(?<=^ +newTag: )\S+/gm, MANIFEST.version],
];

/** Returns each file that names them, with the text that it has now and the one that it must have. */
export function namingFiles(): { file: string; text: string; expected: string }[] {
  const below = (directory: string, ending: string) =>
    filesBelow(join(PROJECT, directory))
      .filter((path) => path.endsWith(ending))
      .map((path) => `${directory}/${path}`);
  const documents = ['README.md', ...below('docs', '.md'), ...below('deploy', '.yaml')];
  return [...documents.map(withNames), lockFile()].filter(({ isNaming }) => isNaming);
}

function withNames(file: string): { file: string; text: string; expected: string; isNaming: boolean } {
  const text = readFileSync(join(PROJECT, file), 'utf8');
  const expected = PATTERNS.reduce((changed, [pattern, name]) => changed.replace(pattern, name), text);
  return { file, text, expected, isNaming: PATTERNS.some(([pattern]) => text.search(pattern) !== -1) };
}

function lockFile(): ReturnType<typeof withNames> {
  const file = 'package-lock.json';
  const text = readFileSync(join(PROJECT, file), 'utf8');
  const lock = JSON.parse(text);
  lock.version = MANIFEST.version;
  lock.packages[''].version = MANIFEST.version;
  return { file, text, expected: `${JSON.stringify(lock, null, 2)}\n`, isNaming: true };
}

if (process.argv[1] === import.meta.filename) {
  for (const { file, text, expected } of namingFiles()) {
    if (text !== expected) writeFileSync(join(PROJECT, file), expected);
  }
}
