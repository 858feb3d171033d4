import { useState } from 'preact/hooks';
import { readTypedTerm } from '../../client/typed-term.ts';
import { findAddresses } from '../form/addresses.ts';
import { Field } from '../form/field.tsx';
import { FormDialog, useSend } from '../form/form-dialog.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { type LinkReference, mailLink } from '../service/links.ts';
import { RestrictionTexts, useRestrictionTexts } from './restriction-texts.ts';

type Props = {
  /** The description of a link is one. */
  link: LinkReference &
    Pick<LinkDescription, 'recipient' | 'verifiedRecipients' | 'passwordProtected'> & {
      file?: { encrypted?: boolean } | null;
    };
  /** Called with the addresses to which the link was mailed, in words. */
  onSent(addresses: string): void;
  onClose(): void;
};

/**
 * Mails a link to its recipients, in the name of the user: to those who may open it, unless the user types others. Says what
 * the mail contains, and what it does not.
 */
export function MailDialog({ link, onSent, onClose }: Props) {
  const { t, format } = useI18n();
  const { recipient, verifiedRecipients: named = [] } = link;
  const [proposed] = useState(() => (named.length > 0 ? named : findAddresses(recipient ?? '')));
  const [typed, setTyped] = useState(proposed.join(', '));
  const [mailed, setMailed] = useState<string[]>([]);
  const { form, setError, send } = useSend();
  const submit = async (): Promise<void> => {
    const addresses = readAddresses(typed);
    const sent: string[] = [];
    for (const to of addresses.length > 0 ? addresses : ['']) {
      if (!(await send(mailLink(link, to)))) break;
      sent.push(to);
    }
    const all = [...mailed, ...sent];
    setMailed(all);
    if (sent.length > 0) onSent(format.list(all));
    if (sent.length > 0 && sent.length === addresses.length) return onClose();
    setTyped(addresses.slice(sent.length).join(', '));
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
      <Field
        name="email"
        kind={proposed.length > 1 ? 'addresses' : 'email'}
        label={t('people.email')}
        value={typed}
        onInput={(text) => {
          setTyped(text);
          setError(undefined);
        }}
      />
      <RestrictionTexts>
        <MailNotes {...{ link, named, typed }} isOfSeveral={proposed.length > 1} />
      </RestrictionTexts>
    </FormDialog>
  );
}

const readAddresses = (typed: string): string[] => [readTypedTerm('addresses', typed)].flat();

type NotesProps = { link: Props['link']; named: readonly string[]; typed: string; isOfSeveral: boolean };

/** Says what recipients need besides the mail, and which of the typed addresses the link does not open for. */
function MailNotes({ link, named, typed, isOfSeveral }: NotesProps) {
  const { t: common, format } = useI18n();
  const t = useRestrictionTexts();
  const known = new Set(named.map((address) => address.toLowerCase()));
  const others = findAddresses(typed).filter((address) => !known.has(address.toLowerCase()));
  const texts = { named: format.list(named), others: format.list(others) };
  return (
    <>
      {isOfSeveral && <p class="soft small">{t('several')}</p>}
      {link.passwordProtected && <p>{t('noPassword')}</p>}
      {link.file?.encrypted && <p>{common('mailLink.noKey')}</p>}
      {named.length > 0 && (
        <>
          <p>{t('mailedCode')}</p>
          <p class="break" role="status">
            {others.length > 0 && t('cannotOpen', texts)}
          </p>
        </>
      )}
    </>
  );
}
