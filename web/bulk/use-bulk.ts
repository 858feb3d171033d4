import { useRef, useState } from 'preact/hooks';
import { toRequests } from '../../client/bulk-requests.ts';
import { type FormError, toFormError } from '../create/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { type BulkItem, type BulkResult, createInBulk } from '../service/bulk.ts';
import { useLeaveWarning } from '../shell/use-leave-warning.ts';

/** Creates links in requests of bounded size, and goes on where it stopped after a failure. */
export function useBulk(items: BulkItem[]) {
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

/** Returns a random key. `randomUUID` exists only where the page came over HTTPS. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
