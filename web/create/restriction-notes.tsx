import { RestrictionTexts, useRestrictionTexts } from '../actions/restriction-texts.ts';
import { findAddresses, withoutAddresses } from '../form/addresses.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Breakable } from '../shell/breakable.tsx';
import type { Draft } from './draft.ts';

type NoteProps = {
  draft: Draft;
  /** True where the form can name those who may open the link. */
  isOffered: boolean;
  onChange(changed: Partial<Draft>): void;
};
type ResultProps = {
  addresses: readonly string[];
  /** The addresses to which the link was mailed, in words. */
  mailedTo: string | undefined;
};
type Props = ({ kind: 'NOTE' } & NoteProps) | ({ kind: 'RESULT' } & ResultProps);

/** What the page of a new link says of those who may open it. */
export function RestrictionNote(props: Props) {
  return (
    <RestrictionTexts>
      {props.kind === 'NOTE' && <RecipientNote {...props} />}
      {props.kind === 'RESULT' && <OnlyFor {...props} />}
    </RestrictionTexts>
  );
}

/** Says that mail addresses in the note of a recipient limit nothing, and offers to let only them open the link. */
function RecipientNote({ draft: { recipient, verifiedRecipients }, isOffered, onChange }: NoteProps) {
  const t = useRestrictionTexts();
  const addresses = findAddresses(recipient);
  if (addresses.length === 0) return null;
  const restrict = (): void => {
    onChange({
      recipient: withoutAddresses(recipient),
      verifiedRecipients: findAddresses([verifiedRecipients, ...addresses].join(' ')).join(', '),
    });
    document.getElementById('verifiedRecipients')?.focus(); // the pressed button disappears
  };
  return (
    <div class="option">
      <span class="option-label" aria-hidden="true" />
      <div class="option-body recipient-note" role="status">
        <small class="soft">{t('note')}</small>
        {isOffered && (
          <button type="button" class="button" onClick={restrict}>
            {t('restrict')}
          </button>
        )}
      </div>
    </div>
  );
}

/** Says who can open a new link, when they get their code, and that they need the link, or got it. */
function OnlyFor({ addresses, mailedTo }: ResultProps) {
  const { t: plainT, format } = useI18n();
  const t = useRestrictionTexts();
  return (
    <p class="small break opening-notes">
      <Breakable text={t('onlyFor', { addresses: format.list(addresses) })} />{' '}
      <span role="status">
        {mailedTo === undefined ? t('notSent') : `${plainT('entry.mailed', { address: mailedTo })}.`}
      </span>
    </p>
  );
}
