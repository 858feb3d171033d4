import { useEffect, useRef, useState } from 'preact/hooks';
import { FormAlert, type FormError, toFormError } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { pause } from '../service/change-links.ts';
import type { LinkDescription, RevokeResult } from '../service/contract.ts';
import { MAX_LINKS_PER_REQUEST, revokeLinks } from '../service/links.ts';
import { loadLinkToken } from '../service/saved-links.ts';
import { Dialog } from '../shell/dialog.tsx';
import { toLinkFacts } from '../shell/link-facts.ts';
import { useListTexts } from './list-texts.ts';

/** The result of a link that the service has tried to revoke. */
type Revocation = RevokeResult & { result: Exclude<RevokeResult['result'], 'not-tried'> };

type Props = {
  links: LinkDescription[];
  onRevoked(shortCodes: string[]): void;
  /** Pauses the links instead. */
  onPause(): void;
  onClose(): void;
};

const RESULT_LABELS = {
  revoked: 'status.revoked',
  'already-revoked': 'revoke.already',
  'not-found': 'status.unknown',
  'not-allowed': 'revoke.notAllowed',
} as const satisfies Record<Revocation['result'], MessageKey>;

/** Revokes links permanently, after a confirmation, and reports the result of each. */
export function RevokeLinksDialog({ links, onRevoked, onPause, onClose }: Props) {
  const { t } = useI18n();
  const texts = useListTexts();
  // The selection may shrink while the dialog is open: revoked links cannot be selected.
  const [asked] = useState(links);
  const shortCodes = asked.map(({ shortCode }) => shortCode);
  const { results, error, isRunning, revoke } = useRevocations(shortCodes, onRevoked);
  const isPausable = results.length === 0 && asked.some((link) => pause(link) !== null);
  const isOver = results.length === asked.length;
  const closeButton = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (isOver) closeButton.current?.focus();
  }, [isOver]);
  return (
    <Dialog
      title={isOver ? texts('revoke.done') : texts('revoke.manyTitle', { count: asked.length })}
      onClose={onClose}
    >
      {!isOver && (
        <p>
          {t('revoke.warning', { count: asked.length })}{' '}
          {isPausable && t('revoke.pauseHint', { count: asked.length })}
        </p>
      )}
      <Revocations links={asked} results={results} />
      {error && <FormAlert error={error} />}
      <div class="actions dialog-actions" aria-live="polite">
        <button
          ref={closeButton}
          type="button"
          class={isOver ? 'button button-main' : 'button'}
          onClick={onClose}
        >
          {t(isOver ? 'dialog.close' : 'cancel')}
        </button>
        {isPausable && (
          <button type="button" class="button" disabled={isRunning} onClick={onPause}>
            {t('revoke.pause')}
          </button>
        )}
        {!isOver && (
          <button
            type="button"
            class="button button-danger"
            disabled={isRunning}
            onClick={() => void revoke()}
          >
            {texts('revoke.many', { count: asked.length - results.length })}
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** The links, each with its result when it has one. */
function Revocations({ links, results }: { links: LinkDescription[]; results: Revocation[] }) {
  const { t } = useI18n();
  return (
    <ul class="revocations">
      {links.map((link, index) => {
        const { result } = results[index] ?? {};
        return (
          <li key={link.shortCode}>
            <code>{link.shortCode}</code>
            {toLinkFacts(link, t).map((fact) => ` · ${fact}`)}
            {result && <span>: {t(RESULT_LABELS[result])}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function isTried(revocation: RevokeResult): revocation is Revocation {
  return revocation.result !== 'not-tried';
}

/** Revokes the links that have no result yet. */
function useRevocations(shortCodes: string[], onRevoked: (shortCodes: string[]) => void) {
  const i18n = useI18n();
  const [results, setResults] = useState<Revocation[]>([]);
  const [error, setError] = useState<FormError>();
  const [isRunning, setRunning] = useState(false);

  async function revoke(): Promise<void> {
    setRunning(true);
    setError(undefined);
    let done = results;
    while (done.length < shortCodes.length) {
      const next = shortCodes.slice(done.length, done.length + MAX_LINKS_PER_REQUEST);
      const tokens = next.map(loadLinkToken).filter((token) => token !== undefined);
      const outcome = await revokeLinks(next, tokens);
      if (outcome.kind !== 'DONE') {
        setError(toFormError(outcome, i18n));
        break;
      }
      done = [...done, ...outcome.value.results.filter(isTried)];
      setResults(done);
    }
    const revoked = done.filter(({ result }) => result === 'revoked' || result === 'already-revoked');
    onRevoked(revoked.map(({ shortCode }) => shortCode));
    setRunning(false);
  }
  return { results, error, isRunning, revoke };
}
