import { useI18n } from '../../i18n/i18n.tsx';
import type { MessageKey } from '../../i18n/translate.ts';
import { changedTerms, type EditDraft, type Term } from './edit-draft.ts';
import type { Conflict } from './use-edit.ts';

/** The labels of terms that are not their names. */
const OTHER_LABELS = {
  targetUrl: 'edit.target',
  requestMessage: 'request.message',
  maxFiles: 'request.maxFiles',
  maxBytes: 'request.maxSize',
  expiresAt: 'expiry',
  maxViews: 'edit.maxViews',
  paused: 'edit.paused',
} as const satisfies Partial<Record<Term, MessageKey>>;
const isOther = (term: Term): term is keyof typeof OTHER_LABELS => term in OTHER_LABELS;

/** Shows what another user has changed since the form was opened. The form below has these changes, and those of the user. */
export function ConflictNote({ conflict: { former, latest } }: { conflict: Conflict }) {
  const { t } = useI18n();
  const textOf = useTermText();
  const terms = changedTerms(former, latest);
  return (
    <div class="row spread problem-note" role="alert">
      <p>{t('edit.conflict')}</p>
      {terms.length > 0 && (
        <ul>
          {terms.map((term) => (
            <li key={term}>
              {t('edit.changed', {
                term: t(isOther(term) ? OTHER_LABELS[term] : term),
                former: textOf(former[term]),
                latest: textOf(latest[term]),
              })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns a function that formats the value of a term as the form shows it. */
function useTermText() {
  const { t } = useI18n();
  return (value: EditDraft[Term]): string => {
    if (typeof value === 'boolean') return t(value ? 'term.yes' : 'term.no');
    return value === null || value === '' ? '–' : value.replace('T', ' ');
  };
}
