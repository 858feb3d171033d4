import { findAddresses, withoutAddresses } from '../form/addresses.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { useSession } from '../shell/session.tsx';
import { type Draft, hasTerm } from './draft.ts';
import { TermFields } from './more-options.tsx';

type Props = Parameters<typeof TermFields>[0];

const RECIPIENTS = 'verifiedRecipients';

/** Returns whether the form has the field of those who may open the link. What a duplicate has from its link is not hidden. */
function useIsOffered({ source, verifiedRecipients }: Draft): boolean {
  const { notify } = useSession().settings ?? {};
  return hasTerm(source, RECIPIENTS) && (notify?.verifiedRecipients === true || verifiedRecipients !== '');
}

/** Says that mail addresses in the note of a recipient limit nothing, and offers to let only them open the link. */
export function RecipientNote({ draft, onChange }: Omit<Props, 'names'>) {
  const { t } = useI18n();
  const isOffered = useIsOffered(draft);
  const { source, recipient, verifiedRecipients } = draft;
  const addresses = findAddresses(recipient);
  if (addresses.length === 0 || !hasTerm(source, RECIPIENTS)) return null;
  const restrict = (): void => {
    onChange({
      recipient: withoutAddresses(recipient),
      verifiedRecipients: findAddresses([verifiedRecipients, ...addresses].join(' ')).join(', '),
    });
    document.getElementById(RECIPIENTS)?.focus(); // the pressed button disappears
  };
  return (
    <div class="option">
      <span class="option-label" aria-hidden="true" />
      <div class="option-body recipient-note" role="status">
        <small class="soft">{t('recipient.note')}</small>
        {isOffered && (
          <button type="button" class="button" onClick={restrict}>
            {t('recipient.restrict')}
          </button>
        )}
      </div>
    </div>
  );
}

/** The mail addresses of those who may open the link, if the service mails codes. */
export function RecipientsField(props: Omit<Props, 'names'>) {
  return useIsOffered(props.draft) && <TermFields names={[RECIPIENTS]} {...props} />;
}

/** Says that the views of the link are too few for all who may open it. `maxViews`: its limit, if it has one. */
export function TooFewViews({ draft, maxViews }: { draft: Draft; maxViews: number | null }) {
  const { t } = useI18n();
  const { source, verifiedRecipients } = draft;
  const count = hasTerm(source, RECIPIENTS) ? findAddresses(verifiedRecipients).length : 0;
  if (!maxViews || maxViews >= count) return null;
  return (
    <small class="option-hint soft" role="status">
      {t('views.tooFew')}
    </small>
  );
}
