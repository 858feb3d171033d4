import type { Options } from '../../src/service/config/options.ts';
import { COMMON_OPTIONS, type Command, defineCommand, type Listed } from '../command.ts';
import { type CompletedCommand, SHELLS } from '../completions.ts';
import { usageFailure } from '../failure.ts';

const { help } = COMMON_OPTIONS;

/** Prepares the command that prints completions of `commands`, its siblings, and of those of the service. */
export const prepareCompletion = (commands: readonly Listed<Command>[]) =>
  defineCommand({
    count: { min: 1, max: 1 },
    details:
      'Load them in the configuration of the shell:\n' +
      '  ~/.bashrc                                source <(postern completion bash)\n' +
      '  ~/.zshrc, after compinit                 source <(postern completion zsh)\n' +
      '  ~/.config/fish/completions/postern.fish  postern completion fish | source',
    options: {},
    examples: ['postern completion bash > /etc/bash_completion.d/postern'],
    async run([shell], _, { output }) {
      const print = Object.entries(SHELLS).find(([name]) => name === shell)?.[1];
      if (!print)
        throw usageFailure(
          `there are no completions for the shell "${shell}"`,
          `Write ${Object.keys(SHELLS).join(', ')}.`,
        );
      output.print(print(await listCommands(commands)).trimEnd());
    },
  });

/** Returns all commands with their options. Loads those of the service. */
async function listCommands(commands: readonly Listed<Command>[]): Promise<CompletedCommand[]> {
  const { SERVICE_COMMANDS } = await import('../service-commands.ts');
  const { ALL_PROPERTIES } = await import('../../src/core/config/properties.ts');
  const properties: Options = {
    'config=': { type: 'string', help: 'The configuration file' },
    ...Object.fromEntries(
      ALL_PROPERTIES.map(({ name, meaning }) => [`${name}=`, { type: 'string', help: meaning }]),
    ),
  };
  const service = SERVICE_COMMANDS.map(async (listed) => {
    const { options } = await listed.load();
    return { ...listed, options: { ...options, help, ...properties } };
  });
  const links = commands.map(async (listed) => {
    const options = { ...(await listed.load()).options, ...COMMON_OPTIONS };
    return { ...listed, options: listed.name === 'verify' ? { ...options, ...properties } : options };
  });
  return Promise.all([...service, ...links]);
}
