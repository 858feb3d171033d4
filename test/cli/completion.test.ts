import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { choicesOf } from '../../cli/completions.ts';
import { SERVICE_COMMANDS } from '../../cli/service-commands.ts';
import { commandLine } from '../support/command-line.ts';
import { type Exit, startCommand } from '../support/process.ts';
import { runServiceCommand } from '../support/service-command.ts';

const hasProgram = (name: string): boolean => spawnSync('which', [name]).status === 0;

/** What a person types before the Tab key, and the whole word that the shell then types or lists. */
const COMPLETED = [
  ['comp', 'completion'],
  ['keys rev', 'revoke'],
  ['create --max', '--max-views'],
  ['serve --app.base', '--app.base-url='],
  ['move --files-t', '--files-to'],
  ['verify --read', '--read-files'],
] as const;

/** Prints the completions of a shell into a file, and runs a script beside it. */
async function runBeside(t: TestContext, shell: string, command: string[]): Promise<Exit> {
  const cli = commandLine(t, 'http://127.0.0.1:1');
  const { code, stdout } = await cli.call(['completion', shell]);
  assert.equal(code, 0);
  writeFileSync(join(cli.directory, 'completions'), stdout);
  const env = { PATH: '/usr/bin:/bin', HOME: cli.directory, TERM: 'xterm' };
  return startCommand(t, command, { cwd: cli.directory, env }).exited;
}

/** Types into a terminal: a line that loads the completions, then each beginning and the Tab key, until it is completed. */
const typeInto = (shell: string, load: string): string => {
  const waitFor = (text: string) =>
    `for i in {1..200}; do grep -qF -e '${text}' screen && break; sleep 0.1; done`;
  const typed = COMPLETED.map(
    ([beginning, word]) => `printf '%s\\t' 'postern ${beginning}'; ${waitFor(word)}; printf '\\025'`,
  );
  // The line itself does not have the word for which the next step waits.
  const line = `${load} ./completions; printf "re%s\\n" ady`;
  const steps = [`printf '%s\\n' '${line}'`, waitFor('ready'), ...typed, `printf 'exit\\n'`];
  return `{ ${steps.join('; ')}; } | script --quiet --flush --command '${shell}' screen`;
};

describe('postern completion', () => {
  for (const [shell, start, load] of [
    ['bash', 'bash --norc --noprofile -i', 'source'],
    ['zsh', 'zsh -f -i', 'autoload -U compinit && compinit -u -D && source'],
  ] as const) {
    test(`an interactive ${shell} completes commands, options and properties`, {
      skip: !hasProgram(shell) || !hasProgram('script'),
    }, async (t) => {
      const { stdout } = await runBeside(t, shell, ['bash', '-c', typeInto(start, load)]);
      for (const [beginning, word] of COMPLETED)
        assert.ok(stdout.includes(word), `${beginning}: ${JSON.stringify(stdout)}`);
    });
  }

  test('fish completes commands, options and properties', { skip: !hasProgram('fish') }, async (t) => {
    const lines = COMPLETED.map(([beginning]) => `complete -C 'postern ${beginning}'`);
    const script = ['source completions', ...lines].join('\n');
    const { stdout, stderr } = await runBeside(t, 'fish', ['fish', '--no-config', '-c', script]);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0]),
      COMPLETED.map(([, word]) => word),
      stderr,
    );
  });

  test('the first words that are completed are those that a command takes', async () => {
    for (const command of SERVICE_COMMANDS.filter(({ words }) => choicesOf(words).length > 0)) {
      const { stderr } = await runServiceCommand([command.name, 'unknown']);
      assert.ok(stderr.includes(`write one of ${choicesOf(command.words).join(', ')},`), stderr);
    }
  });

  test('another shell is refused with those that have completions', async (t) => {
    const cli = commandLine(t, 'http://127.0.0.1:1');
    const { code, stderr } = await cli.call(['completion', 'csh']);
    assert.equal(code, 2);
    assert.match(stderr, /no completions for the shell "csh"\n {2}Write bash, zsh, fish\./);
  });
});
