import { useState } from 'preact/hooks';
import { Field } from '../form/field.tsx';
import { FormDialog, useSend } from '../form/form-dialog.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { type LinkReference, mailLink } from '../service/links.ts';

type Props = {
  /** The description of a link is one. */
  link: LinkReference &
    Pick<LinkDescription, 'recipient' | 'passwordProtected'> & { file?: { encrypted?: boolean } | null };
  onSent(to: string): void;
  onClose(): void;
};

/** Mails a link to its recipient, in the name of the user. Says what the mail contains, and what it does not. */
export function MailDialog({ link, onSent, onClose }: Props) {
  const { t } = useI18n();
  const { recipient, passwordProtected, file } = link;
  const [email, setEmail] = useState(recipient?.includes('@') ? recipient : '');
  const { form, setError, send } = useSend();
  const submit = async (): Promise<void> => {
    const to = email.trim();
    if (!(await send(mailLink(link, to)))) return;
    onSent(to);
    onClose();
  };
  return (
    <FormDialog
      title={t('mailLink')}
      action={t('mailLink')}
      isPending={form.isPending}
      error={form.error}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{t('mailLink.content')}</p>
      {passwordProtected && <p>{t('mailLink.noPassword')}</p>}
      {file?.encrypted && <p>{t('mailLink.noKey')}</p>}
      <Field
        name="email"
        kind="email"
        label={t('people.email')}
        value={email}
        onInput={(text) => {
          setEmail(text);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}
