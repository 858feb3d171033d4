import { Command } from './command.tsx';

export const KEY_COMMAND = 'postern keys create me --scopes=create,read,manage,admin';

/** The command with which an administrator creates the first key, after a text that says so. */
export function KeyCommand({ text }: { text: string }) {
  return (
    <>
      {text} <Command text={KEY_COMMAND} />
    </>
  );
}
