import { useI18n } from '../i18n/i18n.tsx';
import { failureText } from './error-texts.ts';
import type { Failure } from './use-pages.ts';

/** The reason why the newest state could not be loaded. */
export function LoadProblem({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  const i18n = useI18n();
  return (
    <div class="row spread problem-note" role="alert">
      <p>{failureText(failure, i18n)}</p>
      <button type="button" class="button" onClick={onRetry}>
        {i18n.t('board.retry')}
      </button>
    </div>
  );
}
