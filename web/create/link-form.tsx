import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Field, FormAlert, REQUEST_FIELDS, toFormError } from '../form/form-error.tsx';
import { RequestWords, useI18n } from '../i18n/i18n.tsx';
import { getItem, own, UNFINISHED_UPLOADS } from '../service/browser-storage.ts';
import { describeLink } from '../service/links.ts';
import { toReference } from '../service/saved-links.ts';
import { lazy } from '../shell/lazy.tsx';
import { useSession } from '../shell/session.tsx';
import { useLeaveWarning } from '../shell/use-browser.ts';
import { type Draft, EMPTY_DRAFT, hasInput, type Source } from './draft.ts';
import { RecentSettings, Templates } from './form-settings.tsx';
import { preloadResult } from './lazy-result.ts';
import { Options } from './options.tsx';
import { readParameters, removeParameters } from './parameters.ts';
import { saveRecent, startDraft } from './settings.ts';
import { SourceField } from './source-field.tsx';
import { useDropAndPaste } from './use-drop-and-paste.ts';
import { startOf, useSource } from './use-source.ts';
import { type NewLink, useSubmission } from './use-submission.ts';

const UploadProgress = lazy(async () => (await import('../form/upload-progress.tsx')).UploadProgress);
const PasswordNote = lazy(async () => (await import('./password-note.tsx')).PasswordNote);
const Unfinished = lazy(async () => (await import('./unfinished.tsx')).Unfinished);

type Props = {
  /** True when the first field takes the focus. */
  takesFocus: boolean;
  /** What the last link of this page led to, which the next one probably does, too. */
  kind: Source['kind'];
  onCreated(created: NewLink): void;
};

/** The form that creates a link. */
export function LinkForm({ takesFocus, kind, onCreated }: Props) {
  const { t } = useI18n();
  const { isReady } = useSession();
  const { draft, initial, change, submission, lost } = useLinkDraft(kind, onCreated);
  const { error, setError, sending, submit } = submission;
  const form = useRef<HTMLFormElement>(null);
  const source = useSource(draft, initial, { change, showError: setError });
  const isDraggedOver = useDropAndPaste(isReady && !sending, {
    onSource: source.choose,
    onUnreadable: () => setError({ field: 'file', text: t('source.unreadable') }),
  });
  useEffect(() => {
    if (error && form.current) focusError(form.current);
  }, [error]);
  return (
    <form
      ref={form}
      class="card column card-wide link-form"
      noValidate
      aria-labelledby="form-title"
      data-over={isDraggedOver ? '' : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(draft);
      }}
    >
      <div class="row spread form-head">
        <h1 id="form-title">{t('create.title')}</h1>
        <Templates draft={draft} onChange={change} />
      </div>
      <fieldset class="bare column" disabled={sending !== undefined}>
        <Parts {...{ draft, initial, takesFocus, source, submission, lost }} onChange={change} />
      </fieldset>
      <div class="column form-end">
        {error && !error.field && <FormAlert error={error} />}
        {!sending && (
          <button type="submit" class="button button-main">
            {t('create.submit')}
          </button>
        )}
        {sending?.progress && sending.controls && (
          <UploadProgress progress={sending.progress} {...sending.controls} />
        )}
        {sending && !sending.controls && <p role="status">{t('create.pending')}</p>}
      </div>
    </form>
  );
}

/** Holds what the form contains: at first the settings of the last link and the parameters of the page, or the link to duplicate. */
function useLinkDraft(kind: Source['kind'], onCreated: Props['onCreated']) {
  const i18n = useI18n();
  const { caller, settings } = useSession();
  const copied = new URLSearchParams(location.search).get('copy');
  const user = { teams: caller?.teams ?? [], ownEmail: settings?.notify.ownEmail ?? null };
  const initial = useMemo(() => (copied === null ? startDraft(user) : EMPTY_DRAFT), []);
  const [draft, setDraft] = useState<Draft>(() => ({
    ...initial,
    ...startOf(kind),
    ...readParameters(location),
  }));
  const [lost, setLost] = useState({ files: false, password: false });
  const submission = useSubmission((created) => {
    // The view limit of a text is not what the next link should have.
    if (draft.source.kind !== 'TEXT') saveRecent(draft);
    onCreated(created);
  });
  const isFilled = hasInput(draft, initial);
  useLeaveWarning(isFilled);
  useEffect(() => {
    if (isFilled) preloadResult();
  }, [isFilled]);
  const change = (changed: Partial<Draft>): void => {
    setDraft((now) => ({ ...now, ...changed }));
    submission.clearErrorsOf(changed);
  };
  useEffect(() => {
    removeParameters();
    if (copied !== null) void duplicate(copied);
  }, []);
  async function duplicate(shortCode: string): Promise<void> {
    const [{ toDuplicate }, outcome] = await Promise.all([
      import('./duplicate.ts'),
      describeLink(toReference(shortCode)),
    ]);
    if (outcome.kind !== 'DONE') return submission.setError(toFormError(outcome, i18n));
    const copy = toDuplicate(outcome.value, Date.now(), settings?.links.hosts ?? []);
    change(copy);
    setLost({ files: copy.source?.kind === 'FILES', password: outcome.value.passwordProtected });
  }
  return { draft, initial, change, submission, lost };
}

type PartsProps = {
  draft: Draft;
  initial: Draft;
  takesFocus: boolean;
  source: ReturnType<typeof useSource>;
  submission: ReturnType<typeof useSubmission>;
  /** What a duplicate cannot have from its link. */
  lost: { files: boolean; password: boolean };
  onChange(changed: Partial<Draft>): void;
};

/** The parts of the form: the target of the link, then its options. */
function Parts({ draft, initial, takesFocus, source, submission, lost, onChange }: PartsProps) {
  const { t } = useI18n();
  const { isReady } = useSession();
  const { error, sending } = submission;
  const hasUnfinished = useMemo(() => getItem(own(UNFINISHED_UPLOADS)) !== null, []);
  const errorOf = (...fields: Field[]) => (error?.field && fields.includes(error.field) ? error : undefined);
  return (
    <>
      <SourceField
        draft={draft}
        takesFocus={takesFocus}
        error={errorOf('targetUrl', 'file', 'text', ...REQUEST_FIELDS)}
        filesNote={lost.files ? t('duplicate.files') : undefined}
        actions={source}
      />
      {hasUnfinished && isReady && !sending && !draft.encrypt && (
        <Unfinished source={draft.source} onChange={source.change} />
      )}
      <RecentSettings initial={initial} onChange={onChange} />
      <RequestWords isOn={draft.source.kind === 'REQUEST'}>
        <Options
          draft={draft}
          passwordNote={lost.password && draft.password === '' && <PasswordNote />}
          errorOf={errorOf}
          onChange={onChange}
        />
      </RequestWords>
    </>
  );
}

/** Focuses the control that caused the error: of a choice, the chosen value. */
function focusError(form: HTMLFormElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid], .form-error');
  const control = invalid?.querySelector<HTMLElement>('input:checked') ?? invalid;
  control?.focus();
}
