import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Exit, startCommand } from './process.ts';
import { temporaryDirectory } from './service.ts';

/** More than the breaks of any line in a test. */
const MAX_PROCESSES = 100;

/** The commands of a program, but for the address: the first prints the headers. Both write to `file`. */
type Commands = {
  begin: string[];
  resume: string[];
  /** What the second command prints about a file that is complete. */
  repeat?: RegExp;
};

export const WITH_CURL: Commands = {
  begin: ['curl', '--silent', '--show-error', '--dump-header', '-', '--output', 'file'],
  resume: ['curl', '--silent', '--show-error', '--fail', '-C', '-', '--output', 'file'],
};

/**
 * Begins a download of a link over a line that breaks, and continues it at the address of its lease with one process
 * after the other until one succeeds. Returns the path of the file.
 */
export async function downloadWith(
  t: TestContext,
  link: URL,
  { begin, resume, repeat }: Commands,
): Promise<string> {
  const cwd = temporaryDirectory(t);
  const run = (command: string[], url: URL): Promise<Exit> =>
    startCommand(t, [...command, url.href], { cwd }).exited;
  const begun = await run(begin, link);
  assert.notEqual(begun.code, 0);
  const [, address = ''] = /^ *content-location: (\S+)/im.exec(begun.stdout + begun.stderr) ?? [];
  const lease = new URL(address, link);
  for (let processes = 1; ; processes++) {
    const { code, stdout, stderr } = await run(resume, lease);
    if (code === 0) break;
    assert.ok(processes < MAX_PROCESSES, stdout + stderr);
  }
  if (repeat) {
    const { code, stderr } = await run(resume, lease);
    assert.equal(code, 0, stderr);
    assert.match(stderr, repeat);
  }
  return join(cwd, 'file');
}
