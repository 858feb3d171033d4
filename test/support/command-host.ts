import process from 'node:process';
import { findServiceCommand } from '../../cli/service-commands.ts';

// Runs one command after another, so that a test loads the modules of the commands once. `service-command.ts` starts it.

export type CommandCall = { id: number; argv: readonly string[] };
export type CommandResult = { id: number; code: number; stdout: string; stderr: string };

let output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (text: string | Uint8Array) => {
    output[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
    return true;
  };
}
process.setMaxListeners(0); // each command listens for the signals that stop it

let last: Promise<unknown> = Promise.resolve();

async function run({ id, argv }: CommandCall): Promise<void> {
  output = { stdout: '', stderr: '' };
  const command = await findServiceCommand(argv)?.load();
  if (!command) throw new Error(`${argv[0]} is no command of the service`);
  const code = await command.run(argv.slice(1));
  process.send?.({ id, code, ...output } satisfies CommandResult);
}

process.on('message', (call: CommandCall) => {
  last = last.then(() => run(call));
});
process.on('disconnect', () => process.exit());
