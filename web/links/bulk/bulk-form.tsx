import { useEffect, useRef, useState } from 'preact/hooks';
import { toRequests } from '../../../client/bulk-requests.ts';
import { FormAlert, type FormError, toFormError } from '../../form/form-error.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import type { BulkResult } from '../../service/contract.ts';
import { type BulkItem, createInBulk, createKey } from '../../service/links.ts';
import { useLeaveWarning } from '../../shell/use-browser.ts';
import { BulkPreview } from './bulk-preview.tsx';
import { BulkResults } from './bulk-results.tsx';
import { useBulkTexts } from './bulk-texts.ts';
import type { ChosenFile, ValidRow } from './check-rows.ts';

/** `onUnsaved`: whether results would be lost with the form. */
type Props = { file: ChosenFile; onUnsaved(isUnsaved: boolean): void };

/** Shows the rows of a file, creates the links of those without errors, and shows the results. */
export function BulkForm({ file, onUnsaved }: Props) {
  const { t } = useI18n();
  const bulkT = useBulkTexts();
  const valid = file.checked.filter((row): row is ValidRow => 'item' in row);
  const { results, error, isSending, isUnsaved, send, markSaved } = useBulk(valid.map(({ item }) => item));
  useEffect(() => {
    onUnsaved(isUnsaved);
    return () => onUnsaved(false);
  }, [isUnsaved]);
  const isStarted = results.length > 0 || isSending || error !== undefined;
  const isOver = isStarted && !isSending && results.length === valid.length;
  const heading = useRef<HTMLHeadingElement>(null);
  // The file dialog, or the button that was pressed, is gone.
  useEffect(() => heading.current?.focus(), [isOver]);
  const title = isOver
    ? bulkT('bulk.done', { count: results.filter(({ link }) => link).length })
    : bulkT('bulk.preview', { file: file.name });
  return (
    <section class="card column card-content bulk-card" aria-labelledby="bulk-title">
      <h2 id="bulk-title" class="break" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {!isStarted && <BulkPreview file={file} validCount={valid.length} />}
      {!isOver && (isSending || error) && (
        <p role="status">
          {bulkT('bulk.progress', { count: results.length, whole: valid.length })}
          <progress max={valid.length} value={results.length} aria-label={t('bulk.title')} />
        </p>
      )}
      {error && <FormAlert error={error} />}
      {!isOver && valid.length > 0 && (
        <div class="actions">
          <button type="button" class="button button-main" disabled={isSending} onClick={() => void send()}>
            {error ? t('board.retry') : bulkT('bulk.create', { count: valid.length })}
          </button>
        </div>
      )}
      {results.length > 0 && !isSending && (
        <BulkResults
          file={file}
          rows={valid.slice(0, results.length)}
          results={results}
          onSaved={markSaved}
        />
      )}
    </section>
  );
}

/** Creates links in requests of bounded size, and goes on where it stopped after a failure. */
function useBulk(items: BulkItem[]) {
  const i18n = useI18n();
  const [results, setResults] = useState<BulkResult[]>([]);
  const [error, setError] = useState<FormError>();
  const [isSending, setSending] = useState(false);
  // A repeated request has the key of the first: it creates nothing that the first one created.
  const keys = useRef<string[]>([]);
  const [savedCount, setSavedCount] = useState(0);
  // Tokens are not shown again.
  const isUnsaved = isSending || results.slice(savedCount).some(({ link }) => link);
  useLeaveWarning(isUnsaved);

  async function send(): Promise<void> {
    setSending(true);
    setError(undefined);
    let done = results;
    for (const [index, { start, some }] of toRequests(items).entries()) {
      if (start < done.length) continue;
      const key = keys.current[index] ?? createKey();
      keys.current[index] = key;
      const outcome = await createInBulk(some, key);
      if (outcome.kind !== 'DONE') {
        setError(toFormError(outcome, i18n));
        break;
      }
      done = [...done, ...outcome.value.results];
      setResults(done);
    }
    setSending(false);
  }
  const markSaved = (): void => setSavedCount(results.length);
  return { results, error, isSending, isUnsaved, send, markSaved };
}
