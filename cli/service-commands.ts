import type { ServiceCommand } from '../src/tools/commands/command.ts';
import type { Listed } from './command.ts';

export type ListedCommand = Listed<ServiceCommand>;

/** The commands that run on the machine of the service, in the order of the help. */
export const SERVICE_COMMANDS: readonly ListedCommand[] = [
  {
    name: 'serve',
    words: '',
    summary: 'Starts the service',
    load: async () => (await import('../src/tools/commands/serve.ts')).command,
  },
  {
    name: 'keys',
    words: 'create NAME|list|revoke NAME',
    summary: 'Creates, lists and revokes API keys',
    load: async () => (await import('../src/tools/commands/keys.ts')).command,
  },
  {
    name: 'people',
    words: 'add NAME|list|space|scopes NAME|deactivate NAME|activate NAME|reset NAME',
    summary: 'Adds, lists and deactivates people who sign in',
    load: async () => (await import('../src/tools/commands/people.ts')).command,
  },
  {
    name: 'import',
    words: 'shlink|yourls|kutt|bitly|csv FILE',
    summary: 'Imports links of another service',
    load: async () => (await import('../src/tools/commands/import.ts')).command,
  },
  {
    name: 'move',
    words: '',
    summary: 'Moves the store to another database or storage',
    load: async () => (await import('../src/tools/commands/move.ts')).command,
  },
  {
    name: 'rebuild',
    words: '',
    summary: 'Rebuilds statistics, rankings and the list of links from the records of a store',
    load: async () => (await import('../src/tools/commands/rebuild.ts')).command,
  },
  {
    name: 'backup',
    words: 'FOLDER',
    summary: 'Backs up the database and the uploaded files, also while the service runs',
    load: async () => (await import('../src/tools/commands/backup.ts')).command,
  },
  {
    name: 'restore',
    words: 'FOLDER',
    summary: 'Restores a backup and verifies it',
    load: async () => (await import('../src/tools/commands/restore.ts')).command,
  },
  {
    name: 'sweep',
    words: '',
    summary: 'Removes uploaded files that nothing needs, and lists links without a file',
    load: async () => (await import('../src/tools/commands/sweep.ts')).command,
  },
  {
    name: 'doctor',
    words: '',
    summary: 'Examines configuration, store, files, clock, mail server and proxies',
    load: async () => (await import('../src/tools/commands/doctor.ts')).command,
  },
  {
    name: 'erase',
    words: '--ip=…|--link=…|--recipient=…',
    summary: 'Erases the personal data of an address, a link or a recipient',
    load: async () => (await import('../src/tools/commands/erase.ts')).command,
  },
  {
    name: 'seed',
    words: '',
    summary: 'Fills an empty store with examples',
    load: async () => (await import('../src/tools/commands/seed.ts')).command,
  },
];

/** The check of a whole store: `postern verify` with flags of the service alone, or without any. */
const VERIFY_STORE: Pick<ListedCommand, 'load'> = {
  load: async () => (await import('../src/tools/commands/verify.ts')).command,
};
const isServiceFlag = (argument: string): boolean => /^--(read-files$|config=|[a-z-]+\.)/.test(argument);
const isInformation = (argument: string): boolean => ['--help', '-h', '--version'].includes(argument);

/** Returns the command of the service that the arguments of the program run, unless they ask for its help. */
export function findServiceCommand([name, ...argv]: readonly string[]):
  | Pick<ListedCommand, 'load'>
  | undefined {
  if (argv.some(isInformation)) return undefined;
  if (name === 'verify' && argv.every(isServiceFlag)) return VERIFY_STORE;
  return SERVICE_COMMANDS.find((each) => each.name === name);
}
