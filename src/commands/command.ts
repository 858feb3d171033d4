import { readFileSync } from 'node:fs';
import { type Config, helpText, loadConfig, wantsHelp } from '../config.ts';

/** The configuration of a command, read just as the service reads its own; ends the process when there is none. */
export function commandConfig(purpose: string): Config {
  const argv = process.argv.slice(2);
  if (wantsHelp(argv)) {
    process.stdout.write(`${purpose}\n\n${helpText()}`);
    process.exit(0);
  }
  const loaded = loadConfig({ argv, env: process.env, readFile: (path) => readFileSync(path, 'utf8') });
  if (!loaded.ok) refuse('Postern cannot start:', loaded.faults);
  return loaded.config;
}

/** Tells what is wrong on standard error, and ends the process with exit code 1. */
export function refuse(headline: string, faults: string[]): never {
  process.stderr.write(`${headline}\n${faults.map((fault) => `  - ${fault}\n`).join('')}`);
  process.exit(1);
}
