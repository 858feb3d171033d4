import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** The text of the tool's help about the command, which has a help of its own. */
export const KEYS = {
  name: 'keys',
  words: 'create|list|revoke …',
  summary: 'Manages API keys, on the server: npm run keys',
};

/** Runs `npm run keys`, with all its arguments. Returns its exit code. */
export async function runKeys(argv: readonly string[]): Promise<number> {
  const args = ['src/commands/keys.ts', ...argv];
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : 1;
}
