import { useI18n } from '../i18n/i18n.tsx';
import { Command } from './command.tsx';
import { WithCode } from './with-code.tsx';

export const KEY_COMMAND = 'postern keys create me --scopes=create,read,manage,admin';

/** The command with which an administrator creates the first key, after a text that says so. */
export function KeyCommand({ text }: { text: string }) {
  return (
    <>
      {text} <Command text={KEY_COMMAND} /> <KeyCommandPlace />
    </>
  );
}

/** Says how the command is run. A checkout has no command of its name. */
export function KeyCommandPlace() {
  const { t } = useI18n();
  return <WithCode text={(mark) => t('signIn.commandWhere', { command: mark('bin/postern') })} />;
}
