import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { readFlags } from '../config/read-flags.ts';
import { codeOf, messageOf } from '../error-details.ts';
import { digestOf } from '../links/stored-file.ts';
import { checkExport } from './check-export.ts';
import { refuse, refuseDifferences } from './command.ts';
import type { ComparedFile } from './compare-file.ts';

const HEADLINE = 'The export could not be verified:';
const FLAGS = {
  export: { type: 'string' },
  fingerprint: { type: 'string' },
  file: { type: 'string' },
} as const;

export const EXPORT_HELP = `With --export=FILE, checks an exported history instead (- for standard input), without a store and without other
properties. --fingerprint=F compares it with a fingerprint of the link that you were given earlier, --file=FILE compares a
file with that of the link.`;

/** Returns whether the arguments ask for the check of an export. */
export function wantsExport(argv: readonly string[]): boolean {
  const wantsHelp = argv.some((argument) => ['--help', '-h', '--version'].includes(argument));
  return !wantsHelp && argv.some((argument) => /^--(export|fingerprint|file)(=|$)/.test(argument));
}

/** Checks the export that the arguments name. Prints the result, and ends the process with exit code 1 on any finding. */
export async function verifyExport(argv: readonly string[]): Promise<void> {
  const { path, witness, filePath } = readArguments(argv);
  const file = filePath === undefined ? undefined : await readFile(filePath);
  const chunks = path === '-' ? process.stdin : createReadStream(path);
  const { findings, proved } = await checkExport(chunks, witness, file).catch((error: unknown) =>
    refuse(HEADLINE, [describeFailure('export', path, error)]),
  );
  if (findings.count === 0) process.stdout.write(`${proved.join('\n')}\n`);
  else refuseDifferences(findings, path === '-' ? 'standard input' : path);
}

async function readFile(path: string): Promise<ComparedFile> {
  const { sha256 } = await digestOf(createReadStream(path)).catch((error: unknown) =>
    refuse(HEADLINE, [describeFailure('file', path, error)]),
  );
  return { path, sha256 };
}

function describeFailure(flag: keyof typeof FLAGS, path: string, error: unknown): string {
  return codeOf(error) === 'ENOENT'
    ? `${flag}: there is no file ${resolve(path)}; give its whole path`
    : `${flag}: ${path}: ${messageOf(error)}`;
}

type Arguments = { path: string; witness: string | null; filePath: string | undefined };

function readArguments(argv: readonly string[]): Arguments {
  const { flags, errors } = readFlags(argv, { own: FLAGS });
  const path = flags.get('export');
  const witness = flags.get('fingerprint')?.toLowerCase() ?? null;
  const filePath = flags.get('file');
  for (const flag of ['export', 'file'])
    if (flags.get(flag) === '') errors.push(`${flag}: the name of the file is missing; write --${flag}=FILE`);
  if (path === undefined && errors.length === 0) errors.push('--fingerprint and --file need --export=FILE');
  if (witness !== null && !/^[0-9a-f]{64}$/.test(witness)) {
    errors.push(`fingerprint: "${witness}" is not 64 hexadecimal digits; copy the whole fingerprint`);
  }
  if (path === undefined || errors.length > 0) refuse(HEADLINE, errors);
  return { path, witness, filePath };
}
