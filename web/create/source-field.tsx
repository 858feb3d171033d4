import { useLayoutEffect, useRef } from 'preact/hooks';
import { completeTargetUrl } from '../../client/complete-target-url.ts';
import { FOLDER, UPLOAD } from '../../src/common/icons.ts';
import type { ChosenFile } from '../files/chosen-files.ts';
import { errorAttributes, FieldError, type FormError } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { Choice } from '../shell/choice.tsx';
import { lazy } from '../shell/lazy.tsx';
import { useSession } from '../shell/session.tsx';
import { type Draft, NO_FILES, SOURCE_KINDS } from './draft.ts';
import { FilePicker } from './file-picker.tsx';
import { mayTakeFocus } from './take-focus.ts';
import type { useSource } from './use-source.ts';

type Props = {
  draft: Draft;
  takesFocus: boolean;
  error: FormError | undefined;
  /** Shown as long as no file is chosen. */
  filesNote: string | undefined;
  actions: ReturnType<typeof useSource>;
};

const ChosenFiles = lazy(async () => (await import('./file-list.tsx')).FileList);
const Request = lazy(async () => (await import('./request-source.tsx')).RequestSource);
const Text = lazy(async () => (await import('./text-source.tsx')).TextSource);

const LABELS = { FILES: 'source.files', TEXT: 'text.title', REQUEST: 'link.request' } as const;

/** The target of the link: a URL, files, a text, or files that others send. */
export function SourceField({ draft, takesFocus, error, filesNote, actions }: Props) {
  const { t } = useI18n();
  const { source } = draft;
  const { choose, change, switchTo } = actions;
  const hasNoFiles = source.kind === 'FILES' && source.files.length === 0;
  // The pressed button disappears with the other kind of source, and the focus with it. An effect after the page is painted
  // could take the focus from where a quick key has moved it.
  const area = useRef<HTMLDivElement>(null);
  const needsFocus = useRef(takesFocus);
  useLayoutEffect(() => {
    const first = area.current?.querySelector<HTMLElement>('#targetUrl, .source-pick .button');
    if (needsFocus.current && mayTakeFocus()) first?.focus();
    needsFocus.current = true;
  }, [source.kind, hasNoFiles]);

  // A field that gives way to a file loses the focus, and must not come back with its completed URL.
  const latest = useRef(source);
  latest.current = source;
  const changeUrl = (text: string): void => {
    if (latest.current.kind === 'URL') change({ source: { kind: 'URL', text } });
  };
  const add = (files: ChosenFile[]): void => choose({ kind: 'FILES', files, name: '' });
  return (
    <>
      <Choice
        legend={t('source.kind')}
        name="kind"
        values={SOURCE_KINDS}
        value={source.kind}
        labelOf={(kind) => (kind === 'URL' ? kind : t(LABELS[kind]))}
        onChoose={switchTo}
      />
      <div
        ref={area}
        class={source.kind === 'TEXT' || source.kind === 'REQUEST' ? 'column source-rows' : 'source'}
        data-invalid={error ? '' : undefined}
      >
        {source.kind === 'URL' && <UrlField text={source.text} error={error} onChange={changeUrl} />}
        {hasNoFiles && <Pickers note={filesNote} error={error} onPick={add} />}
        {source.kind === 'FILES' && !hasNoFiles && (
          <ChosenFiles
            {...{ draft, source, error }}
            onChange={change}
            onAdd={add}
            onRemove={() => change({ source: NO_FILES })}
          />
        )}
        {source.kind === 'REQUEST' && <Request {...{ source, error }} onChange={change} />}
        {source.kind === 'TEXT' && <Text {...{ source, error }} onChange={change} />}
      </div>
    </>
  );
}

function UrlField(props: { text: string; error: FormError | undefined; onChange(text: string): void }) {
  const { t } = useI18n();
  return (
    <>
      <label class="source-label" for="targetUrl">
        {t('source.url')}
      </label>
      <input
        id="targetUrl"
        name="targetUrl"
        class="source-url"
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        placeholder="https://"
        value={props.text}
        onInput={({ currentTarget: { value } }) => props.onChange(value)}
        onBlur={({ currentTarget: { value } }) => {
          const completed = completeTargetUrl(value);
          if (completed !== value) props.onChange(completed);
        }}
        {...errorAttributes('source-error', props.error)}
      />
      <FieldError id="source-error" error={props.error} />
    </>
  );
}

type PickersProps = {
  note: string | undefined;
  error: FormError | undefined;
  onPick(files: ChosenFile[]): void;
};

/** The buttons that choose files, as long as there is none. */
function Pickers({ note, error, onPick }: PickersProps) {
  const { t, format } = useI18n();
  const maxFileBytes = useSession().settings?.maxFileBytes;
  return (
    <>
      {note !== undefined && <p role="status">{note}</p>}
      <div class="row soft source-pick">
        <FilePicker label={t('source.pick')} icon={UPLOAD} onPick={onPick} error={error} />
        <FilePicker label={t('source.pickFolder')} icon={FOLDER} isFolder onPick={onPick} />
        <small class="source-hint">{t('source.drop')}</small>
        {maxFileBytes !== undefined && (
          <small>{t('source.limit', { size: format.bytes(maxFileBytes) })}</small>
        )}
        <FieldError id="source-error" error={error} />
      </div>
    </>
  );
}
