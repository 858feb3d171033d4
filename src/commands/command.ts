import { readFileSync } from 'node:fs';
import { type Config, helpText, loadConfig, wantsHelp } from '../config/config.ts';

/**
 * The configuration of the service, and of each command beside it, from the arguments and the environment.
 * Ends the process when it is asked for help, and when the configuration has faults.
 */
export function readConfig(purpose: string): { config: Config; warnings: string[] } {
  const argv = process.argv.slice(2);
  if (wantsHelp(argv)) {
    process.stdout.write(`${purpose}\n\n${helpText()}`);
    process.exit(0);
  }
  const loaded = loadConfig({ argv, env: process.env, readFile: (path) => readFileSync(path, 'utf8') });
  if (!loaded.ok) refuse('Postern cannot start:', loaded.faults);
  return loaded;
}

/** Tells what is wrong on standard error, and ends the process with exit code 1. */
export function refuse(headline: string, faults: string[]): never {
  process.stderr.write(`${headline}\n${faults.map((fault) => `  - ${fault}\n`).join('')}`);
  process.exit(1);
}
