import { type ComponentChildren, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SHIELD, WARNING } from '../../src/common/icons.ts';
import type { ExportCheck } from '../../src/core/use-cases/history/exported/examine-export.ts';
import { reasonNotToCheck, type Statement } from '../../src/core/use-cases/history/exported/statements.ts';
import { I18nProvider, useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { BrandMark, Icon } from '../shell/icon.tsx';
import { LanguageChoice } from '../shell/language-choice.tsx';
import { checkFiles } from './check-files.ts';
import { FileField } from './file-field.tsx';
import { statementText } from './statement-texts.ts';

/** The page that checks an exported history. It sends no request and needs no sign-in. */
function VerifyPage() {
  const { t } = useI18n();
  const check = useCheck();
  const { percent, check: result } = check.state;
  return (
    <Frame>
      <h1>{t('verify.title')}</h1>
      <p>{t('verify.intro')}</p>
      <form
        class="card card-wide verify-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void check.start();
        }}
      >
        <CheckFields {...check} />
        {percent !== undefined && <progress max={100} value={percent} aria-label={t('verify.running')} />}
        {check.state.error === 'unreadable' && (
          <p class="form-error" role="alert">
            {t('verify.unreadable')}
          </p>
        )}
      </form>
      {result && <Result check={result} isCompared={check.known !== ''} />}
    </Frame>
  );
}

/** Holds what is to be checked, and the progress and the result of the check. */
function useCheck() {
  const [state, setState] = useState<State>(START);
  const [fingerprint, setFingerprint] = useState('');
  // Not in an effect, which could come after the next key.
  const { files, choose } = useFiles(() => setState(START));
  const type = (text: string): void => {
    setFingerprint(text);
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
      setState({ ...START, check: await checkFiles({ exported, compared }, known || null, show) });
    } catch {
      setState({ ...START, error: 'unreadable' });
    }
  };
  return { state, files, choose, fingerprint, type, known, start };
}

type FieldsProps = Pick<ReturnType<typeof useCheck>, 'state' | 'files' | 'choose' | 'fingerprint' | 'type'>;

function CheckFields({ state: { error, percent }, files, choose, fingerprint, type }: FieldsProps) {
  const { t } = useI18n();
  return (
    <fieldset class="bare column" disabled={percent !== undefined}>
      <FileField
        id="exported"
        file={files.exported}
        label={t('verify.export')}
        hint={t('verify.exportHint', { button: t('proof.export') })}
        error={error === 'exported' ? t('verify.choose') : undefined}
        onChoose={(file) => choose('exported', file)}
      />
      <FingerprintField text={fingerprint} isWrong={error === 'fingerprint'} onInput={type} />
      <FileField
        id="compared"
        file={files.compared}
        label={t('verify.file')}
        hint={t('verify.fileHint')}
        onChoose={(file) => choose('compared', file)}
      />
      <button type="submit" class="button button-main">
        {t('verify.start')}
      </button>
    </fieldset>
  );
}

/** `percent`: of the running check. */
type State = {
  error?: 'exported' | 'fingerprint' | 'unreadable';
  percent?: number;
  check?: ExportCheck;
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

type FingerprintProps = { text: string; isWrong: boolean; onInput(text: string): void };

function FingerprintField({ text, isWrong, onInput }: FingerprintProps) {
  const { t } = useI18n();
  return (
    <div class="text-field">
      <label for="fingerprint">{t('verify.fingerprint')}</label>
      <input
        id="fingerprint"
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        value={text}
        aria-describedby="fingerprint-hint"
        aria-invalid={isWrong || undefined}
        onInput={({ currentTarget: { value } }) => onInput(value)}
      />
      <small id="fingerprint-hint" class={isWrong ? 'field-error' : 'soft'}>
        {t(isWrong ? 'verify.fingerprintWrong' : 'verify.fingerprintHint')}
      </small>
    </div>
  );
}

const TITLES = {
  bad: 'verify.failed',
  good: 'verify.passed',
  warn: 'verify.consistent',
  notExported: 'verify.notExported',
  unchecked: 'verify.unchecked',
} as const;

type ResultProps = { check: ExportCheck; isCompared: boolean };

function Result({ check: { findings, proved }, isCompared }: ResultProps) {
  const i18n = useI18n();
  const { t } = i18n;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isWrong = findings.count > 0;
  const reason = reasonNotToCheck(findings);
  const hidden = findings.count - findings.shown.length;
  const tone = reason ? 'warn' : isWrong ? 'bad' : isCompared ? 'good' : 'warn';
  const title = t(TITLES[reason ?? tone]);
  const statements: Statement[] = isWrong ? findings.shown : proved;
  return (
    <section
      class={`card column card-wide break verify-result verify-${tone}`}
      aria-labelledby="result-title"
    >
      <h2 id="result-title" class="row" ref={heading} tabIndex={-1}>
        <Icon path={tone === 'good' ? SHIELD : WARNING} />
        {title}
      </h2>
      <ul>
        {statements.map((statement, index) => (
          <li key={index}>{statementText(statement, i18n)}</li>
        ))}
        {hidden > 0 && <li>{t('verify.more', { count: hidden })}</li>}
      </ul>
      {!isWrong && <p class="soft small">{t('verify.limits')}</p>}
    </section>
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
    </>
  );
}

const root = document.getElementById('app');
if (!root) throw new Error('The document has no #app element');
render(
  <I18nProvider>
    <VerifyPage />
  </I18nProvider>,
  root,
);
