import type { Command, Listed } from './command.ts';
import { SHELLS } from './completions.ts';

/** The commands for links, in the order of the help. */
export const COMMANDS: readonly Listed<Command>[] = [
  {
    name: 'create',
    words: '[URL]',
    summary: 'Creates a link to a URL or a text, and prints it with its token',
    load: async () => (await import('./commands/create.ts')).create,
  },
  {
    name: 'upload',
    words: 'FILE…',
    summary: 'Uploads files and folders, and prints their link with its token',
    load: async () => (await import('./commands/upload.ts')).upload,
  },
  {
    name: 'request',
    words: 'MESSAGE',
    summary: 'Creates a file request: a link whose visitors send you files',
    load: async () => (await import('./commands/request.ts')).request,
  },
  {
    name: 'submit',
    words: 'CODE|URL FILE…',
    summary: 'Sends files and folders to a file request, and prints the receipt',
    load: async () => (await import('./commands/submit.ts')).submit,
  },
  {
    name: 'open',
    words: 'CODE|URL',
    summary: 'Opens a link: prints its target or its text, or saves its file. Counts as a view',
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'list',
    words: '',
    summary: 'Lists and searches links, the newest first',
    load: async () => (await import('./commands/list.ts')).list,
  },
  {
    name: 'show',
    words: 'CODE',
    summary: 'Shows the state and the terms of a link. Counts as no view',
    load: async () => (await import('./commands/show.ts')).show,
  },
  {
    name: 'history',
    words: 'CODE',
    summary: 'Shows who opened and changed a link, the newest last',
    load: async () => (await import('./commands/history.ts')).history,
  },
  {
    name: 'edit',
    words: 'CODE',
    summary: 'Changes the terms of a link',
    load: async () => (await import('./commands/edit.ts')).edit,
  },
  {
    name: 'revoke',
    words: 'CODE…',
    summary: 'Revokes links permanently',
    load: async () => (await import('./commands/revoke.ts')).revoke,
  },
  {
    name: 'bulk',
    words: 'FILE.csv',
    summary: 'Creates a link for each row of a CSV file',
    load: async () => (await import('./commands/bulk.ts')).bulk,
  },
  {
    name: 'verify',
    words: '[CODE]',
    summary: 'Checks the history of a link, an export of one, a file, or the whole store',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    name: 'login',
    words: 'URL',
    summary: 'Stores the address of the service and an API key',
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    words: '',
    summary: 'Removes the stored API key',
    load: async () => (await import('./commands/logout.ts')).logout,
  },
  {
    name: 'completion',
    words: Object.keys(SHELLS).join('|'),
    summary: 'Prints the completions of a shell, of commands, options and properties',
    load: async () => (await import('./commands/completion.ts')).prepareCompletion(COMMANDS),
  },
];
