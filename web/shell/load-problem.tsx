import { useI18n } from '../i18n/i18n.tsx';
import type { Failure } from './use-pages.ts';

/** The reason why the newest state could not be loaded. */
export function LoadProblem({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  const { t } = useI18n();
  return (
    <div class="problem-note" role="alert">
      {failure.kind === 'REFUSED' ? <p lang="en">{failure.text}</p> : <p>{t('error.unreachable')}</p>}
      <button type="button" class="button" onClick={onRetry}>
        {t('board.retry')}
      </button>
    </div>
  );
}
