import { findServiceCommand } from './service-commands.ts';

// The program: `bin/postern`. Loads either what a command of the service needs, or what a client needs.

const argv = process.argv.slice(2);
const command = findServiceCommand(argv);
if (command) {
  const exitCode = await (await command.load()).run(argv.slice(1));
  if (exitCode !== 0) process.exit(exitCode); // what the command has opened does not keep the process alive
} else {
  const { runInProcess } = await import('./run-in-process.ts');
  process.exitCode = await runInProcess(argv);
}
