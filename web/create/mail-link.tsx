import { useState } from 'preact/hooks';
import { Field } from '../form/field.tsx';
import { FormDialog, useSend } from '../form/form-dialog.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { mailLink } from '../service/links.ts';
import type { NewLink } from './use-submission.ts';

type Props = { created: NewLink; onSent(to: string): void };

/** Mails a new link to its recipient, in the name of the user. */
export function MailLink(props: Props) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button button-quiet" onClick={() => setOpen(true)}>
        {t('mailLink')}
      </button>
      {isOpen && <MailDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function MailDialog({ created, onSent, onClose }: Props & { onClose(): void }) {
  const { t } = useI18n();
  const { link, token, password, encryption, restrictions } = created;
  const { recipient = '' } = restrictions;
  const [email, setEmail] = useState(recipient.includes('@') ? recipient : '');
  const { form, setError, send } = useSend();
  const submit = async (): Promise<void> => {
    const to = email.trim();
    const reference = { shortCode: link.shortCode, ...(token !== null && { token }) };
    if (!(await send(mailLink(reference, to)))) return;
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
      {(password !== '' || encryption) && <p>{t('mailLink.secret')}</p>}
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
