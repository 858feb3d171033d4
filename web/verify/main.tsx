import { type ComponentChildren, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { MAX_KEPT_LENGTH } from '../../src/core/use-cases/history/exported/read-kept.ts';
import type { Findings } from '../../src/core/use-cases/history/exported/statements.ts';
import { RecipientTexts } from '../history/recipient-list.tsx';
import { useVerifyTexts, VerifyTexts } from '../history/verify-texts.ts';
import { I18nProvider, useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { BrandMark } from '../shell/icon.tsx';
import { LanguageChoice } from '../shell/language-choice.tsx';
import { lazy } from '../shell/lazy.tsx';
import { SiteFooter } from '../shell/site-footer.tsx';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import type { CheckedFiles } from './check-files.ts';
import { FileField } from './file-field.tsx';
import type { Result as ResultCards } from './result.tsx';

/** Both load as soon as the page is shown, so that it works without a connection from then on. */
const loadCheck = () => import('./run-check.ts');
const loadResult = () => import('./result.tsx');
const Result = lazy<Parameters<typeof ResultCards>[0]>(async () => (await loadResult()).Result);

/** The page that checks an exported history. It sends nothing and needs no sign-in. */
function VerifyPage() {
  const { t } = useI18n();
  useDocumentTitle(t('verify.title'));
  const text = useVerifyTexts();
  const check = useCheck();
  const { percent, check: result } = check.state;
  return (
    <Frame>
      <h1>{t('verify.title')}</h1>
      <p>{text('intro')}</p>
      <form
        class="card card-wide verify-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void check.start();
        }}
      >
        <CheckFields {...check} />
        {percent !== undefined && <progress max={100} value={percent} aria-label={text('running')} />}
        {check.state.error === 'unreadable' && (
          <p class="form-error" role="alert">
            {text('unreadable')}
          </p>
        )}
      </form>
      {result && <Result check={result} />}
    </Frame>
  );
}

/** Holds what is to be checked, and the progress and the result of the check. */
function useCheck() {
  const [state, setState] = useState<State>(START);
  useEffect(() => void Promise.allSettled([loadCheck(), loadResult()]), []);
  const [fingerprint, setFingerprint] = useState(fingerprintOf(location.hash));
  const [kept, setKept] = useState('');
  // Not in an effect, which could come after the next key.
  const { files, choose } = useFiles(() => setState(START));
  useEffect(() => {
    // Also with an address that is opened where the page is already.
    const take = (): void => {
      const brought = fingerprintOf(location.hash);
      if (brought !== '') type(brought);
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  const type = (text: string): void => {
    setFingerprint(text);
    setState(START);
  };
  const typeKept = (text: string): void => {
    setKept(text);
    setState(START);
  };
  const known = fingerprint.replaceAll(/\s/g, '').toLowerCase();
  const start = async (): Promise<void> => {
    if (!files.exported) return setState({ ...START, error: 'exported' });
    if (!/^([0-9a-f]{64})?$/.test(known)) return setState({ ...START, error: 'fingerprint' });
    setState({ ...START, percent: 0 });
    const show = (done: number): void => setState((now) => toProgress(now, done));
    try {
      const { exported, compared } = files;
      const { runCheck } = await loadCheck();
      const compare = { knownFingerprint: known || null, kept: kept.trim() === '' ? undefined : kept };
      const result = await runCheck({ exported, compared }, compare, show);
      const error = keptErrorOf(result.findings);
      setState({ ...START, ...(error ? { error } : { check: result }) });
    } catch {
      setState({ ...START, error: 'unreadable' });
    }
  };
  return { state, files, choose, fingerprint, type, kept, typeKept, start };
}

/** Returns the fingerprint that the link on a delivery record brings; an empty text without one. */
const fingerprintOf = (hash: string): string => /^#([0-9a-f]{64})$/.exec(hash)?.[1] ?? '';

type KeptError = 'keptUnreadable' | 'keptTooLong';

/** Returns why what the reader kept could not be read, if there is no other finding. */
function keptErrorOf({ shown: [finding, ...others] }: Findings): KeptError | undefined {
  if (others.length > 0) return undefined;
  if (finding?.code === 'KEPT_UNREADABLE') return 'keptUnreadable';
  return finding?.code === 'KEPT_TOO_LONG' ? 'keptTooLong' : undefined;
}

type FieldsProps = Omit<ReturnType<typeof useCheck>, 'start'>;

function CheckFields(props: FieldsProps) {
  const { files, choose, fingerprint, type } = props;
  const { error, percent } = props.state;
  const text = useVerifyTexts();
  const isWrong = error === 'fingerprint';
  const keptError = error === 'keptUnreadable' || error === 'keptTooLong' ? error : undefined;
  // Nothing that counts in the check is hidden: neither what an address brought nor a file that was dropped.
  const [isOpen, setOpen] = useState(fingerprint !== '');
  useEffect(() => {
    if (fingerprint !== '' || files.compared || isWrong || keptError) setOpen(true);
  }, [fingerprint, files.compared, isWrong, keptError]);
  return (
    <fieldset class="bare verify-fields" disabled={percent !== undefined}>
      <FileField
        id="exported"
        file={files.exported}
        label={text('export')}
        hint={text('exportHint')}
        error={error === 'exported' ? text('choose') : undefined}
        onChoose={(file) => choose('exported', file)}
      />
      <details class="verify-more" open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
        <summary>{text('compare')}</summary>
        <FingerprintField value={fingerprint} isWrong={isWrong} onInput={type} />
        <KeptField value={props.kept} error={keptError} onInput={props.typeKept} />
        <FileField
          id="compared"
          file={files.compared}
          label={text('file')}
          hint={text('fileHint')}
          onChoose={(file) => choose('compared', file)}
        />
      </details>
      <button type="submit" class="button button-main">
        {text('start')}
      </button>
    </fieldset>
  );
}

/** `percent`: of the running check. */
type State = {
  error?: 'exported' | 'fingerprint' | KeptError | 'unreadable';
  percent?: number;
  check?: CheckedFiles;
};
const START: State = {};

function toProgress(now: State, done: number): State {
  const percent = Math.floor(done * 100);
  return now.percent === undefined || percent === now.percent ? now : { percent };
}

type Files = { exported: File | null; compared: File | null };

/** Holds the chosen files. One that is dropped is the export if its name says so, else the file to compare. */
function useFiles(onChange: () => void) {
  const [files, setFiles] = useState<Files>({ exported: null, compared: null });
  const choose = (name: keyof Files, file: File | null): void => {
    setFiles((now) => ({ ...now, [name]: file }));
    onChange();
  };
  useEffect(() => {
    const accept = (event: DragEvent): void => event.preventDefault();
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      for (const file of event.dataTransfer?.files ?? [])
        choose(/\.(ndjson|jsonl?|txt)$/i.test(file.name) ? 'exported' : 'compared', file);
    };
    addEventListener('dragover', accept);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', accept);
      removeEventListener('drop', drop);
    };
  }, []);
  return { files, choose };
}

type FingerprintProps = { value: string; isWrong: boolean; onInput(text: string): void };

function FingerprintField({ value, isWrong, onInput }: FingerprintProps) {
  const text = useVerifyTexts();
  return (
    <div class="text-field">
      <label for="fingerprint">{text('fingerprint')}</label>
      <input
        id="fingerprint"
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        value={value}
        aria-describedby="fingerprint-hint"
        aria-invalid={isWrong || undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <small id="fingerprint-hint" class={isWrong ? 'field-error' : 'soft'}>
        {text(isWrong ? 'fingerprintWrong' : 'fingerprintHint')}
      </small>
    </div>
  );
}

type KeptProps = Omit<FingerprintProps, 'isWrong'> & { error: KeptError | undefined };

/** What the reader kept of the log: keys, checkpoints and proofs, one after another. */
function KeptField({ value, error, onInput }: KeptProps) {
  const text = useVerifyTexts();
  return (
    <div class="text-field">
      <label for="kept">{text('kept')}</label>
      <textarea
        id="kept"
        rows={3}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        value={value}
        aria-describedby="kept-hint"
        aria-invalid={error !== undefined || undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <small id="kept-hint" class={error === undefined ? 'soft' : 'field-error'}>
        {text(error ?? 'keptHint', { count: MAX_KEPT_LENGTH })}
      </small>
    </div>
  );
}

/** The frame of the page. That of the other pages loads the session. */
function Frame({ children }: { children: ComponentChildren }) {
  const { t } = useI18n();
  return (
    <>
      <a class="skip-link" href="#main">
        {t('nav.skip')}
      </a>
      <header class="row site-header">
        <a class="brand" href={serviceUrl('').href}>
          <BrandMark />
        </a>
        <LanguageChoice />
      </header>
      <main id="main" class="page page-verify" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter hasReference={false} />
    </>
  );
}

const root = document.getElementById('app');
if (!root) throw new Error('The document has no #app element');
render(
  <I18nProvider>
    <VerifyTexts>
      <RecipientTexts>
        <VerifyPage />
      </RecipientTexts>
    </VerifyTexts>
  </I18nProvider>,
  root,
);
