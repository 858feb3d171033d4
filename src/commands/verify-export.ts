import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { readFlags } from '../config/read-flags.ts';
import { codeOf, messageOf } from '../error-details.ts';
import { checkExport } from './check-export.ts';
import { refuse } from './command.ts';
import { refuseDifferences } from './refuse-differences.ts';

const HEADLINE = 'The export could not be verified:';
const FLAGS = { export: { type: 'string' }, fingerprint: { type: 'string' } } as const;

export const EXPORT_HELP = `With --export=FILE, checks an exported history instead (- for standard input), without a store and without other
properties. --fingerprint=F compares it with a fingerprint of the link that you were given earlier.`;

/** Returns whether the arguments ask for the check of an export. */
export function wantsExport(argv: readonly string[]): boolean {
  const wantsHelp = argv.some((argument) => ['--help', '-h', '--version'].includes(argument));
  return !wantsHelp && argv.some((argument) => /^--(export|fingerprint)(=|$)/.test(argument));
}

/** Checks the export that the arguments name. Prints the result, and ends the process with exit code 1 on any finding. */
export async function verifyExport(argv: readonly string[]): Promise<void> {
  const { path, witness } = readArguments(argv);
  const chunks = path === '-' ? process.stdin : createReadStream(path);
  const check = checkExport(chunks, witness).catch((error: unknown) =>
    refuse(HEADLINE, [describeFailure(path, error)]),
  );
  const { findings, proved } = await check;
  if (findings.count === 0) process.stdout.write(`${proved.join('\n')}\n`);
  else refuseDifferences(findings, path === '-' ? 'standard input' : path);
}

function describeFailure(path: string, error: unknown): string {
  return codeOf(error) === 'ENOENT'
    ? `export: there is no file ${resolve(path)}; give the whole path of the exported file`
    : `export: ${path}: ${messageOf(error)}`;
}

function readArguments(argv: readonly string[]): { path: string; witness: string | null } {
  const { flags, errors } = readFlags(argv, { all: Object.keys(FLAGS), confidential: [] }, FLAGS);
  const path = flags.get('export');
  const witness = flags.get('fingerprint')?.toLowerCase() ?? null;
  if (path === '') errors.push('export: the name of the file is missing; write --export=FILE');
  if (path === undefined && errors.length === 0) errors.push('--fingerprint needs --export=FILE');
  if (witness !== null && !/^[0-9a-f]{64}$/.test(witness)) {
    errors.push(`fingerprint: "${witness}" is not 64 hexadecimal digits; copy the whole fingerprint`);
  }
  if (path === undefined || errors.length > 0) refuse(HEADLINE, errors);
  return { path, witness };
}
