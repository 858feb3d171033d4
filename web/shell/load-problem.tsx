import { useI18n } from '../i18n/i18n.tsx';
import { type RefusalText, refusalText } from './refusal-text.ts';
import type { Failure } from './use-pages.ts';

/** The reason why the newest state could not be loaded. */
export function LoadProblem({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  const { t } = useI18n();
  const { text, lang }: RefusalText =
    failure.kind === 'REFUSED' ? refusalText(failure, t) : { text: t('error.unreachable') };
  return (
    <div class="problem-note" role="alert">
      <p lang={lang}>{text}</p>
      <button type="button" class="button" onClick={onRetry}>
        {t('board.retry')}
      </button>
    </div>
  );
}
