import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { completeTargetUrl } from '../../client/complete-target-url.ts';
import { FOLDER, INBOX, NOTE, UPLOAD } from '../../src/common/icons.ts';
import type { ChosenFile } from '../files/chosen-files.ts';
import { errorAttributes, FieldError, type FormError } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from '../shell/icon.tsx';
import { lazy } from '../shell/lazy.tsx';
import { Notice } from '../shell/notice.tsx';
import { useSession } from '../shell/session.tsx';
import { type Draft, EMPTY_REQUEST, type Source } from './draft.ts';
import { FilePicker } from './file-picker.tsx';
import type { SourceNotice } from './use-source.ts';

type Props = {
  draft: Draft;
  takesFocus: boolean;
  notice: SourceNotice | undefined;
  error: FormError | undefined;
  /** Takes what was typed, removed or restored. */
  onChange(changed: Partial<Draft>): void;
  onChoose(source: Source): void;
};

const ChosenFiles = lazy(async () => (await import('./file-list.tsx')).FileList);
const Request = lazy(async () => (await import('./request-source.tsx')).RequestSource);
const Text = lazy(async () => (await import('./text-source.tsx')).TextSource);

/** The target of the link: a URL, or files or a text in its place. */
export function SourceField({ draft, takesFocus, notice, error, onChange, onChoose }: Props) {
  const { t } = useI18n();
  const { source } = draft;
  // The pressed button disappears with the other kind of source, and the focus with it. An effect after the page is painted
  // could take the focus from where a quick key has moved it.
  const area = useRef<HTMLDivElement>(null);
  const needsFocus = useRef(takesFocus);
  useLayoutEffect(() => {
    if (needsFocus.current) area.current?.querySelector<HTMLElement>('#targetUrl')?.focus();
    needsFocus.current = true;
  }, [source.kind]);

  // A field that gives way to a file loses the focus, and must not come back with its completed URL.
  const latest = useRef(source);
  latest.current = source;
  const changeUrl = (text: string): void => {
    if (latest.current.kind === 'URL') onChange({ source: { kind: 'URL', text } });
  };
  const add = (files: ChosenFile[]): void => onChoose({ kind: 'FILES', files, name: '' });
  const remove = (): void => onChange({ source: { kind: 'URL', text: '' } });

  return (
    <div ref={area} class="source" data-invalid={error ? '' : undefined}>
      {source.kind === 'URL' && (
        <>
          <UrlField
            text={source.text}
            error={error?.field === 'file' ? undefined : error}
            onChange={changeUrl}
          />
          <Pickers error={error?.field === 'file' ? error : undefined} onPick={add}>
            <button
              type="button"
              class="button"
              onClick={() => onChoose({ kind: 'TEXT', text: '', isOneLine: false })}
            >
              <Icon path={NOTE} />
              {t('source.text')}
            </button>
            <button type="button" class="button" onClick={() => onChoose(EMPTY_REQUEST)}>
              <Icon path={INBOX} />
              {t('source.request')}
            </button>
          </Pickers>
        </>
      )}
      {source.kind === 'FILES' && (
        <ChosenFiles {...{ draft, source, error, onChange }} onAdd={add} onRemove={remove} />
      )}
      {source.kind === 'REQUEST' && <Request {...{ source, error, onChange }} onRemove={remove} />}
      {source.kind === 'TEXT' && <Text {...{ draft, source, error, onChange }} onRemove={remove} />}
      <SourceNoticeLine notice={notice} onUndo={(source) => onChange({ source })} />
    </div>
  );
}

function SourceNoticeLine(props: { notice: SourceNotice | undefined; onUndo(source: Source): void }) {
  const { text, replaced } = props.notice ?? {};
  return <Notice text={text} onUndo={replaced && (() => props.onUndo(replaced))} />;
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
  error: FormError | undefined;
  onPick(files: ChosenFile[]): void;
  children: ComponentChildren;
};

/** The buttons in place of a URL. */
function Pickers({ error, onPick, children }: PickersProps) {
  const { t, format } = useI18n();
  const maxFileBytes = useSession().settings?.maxFileBytes;
  return (
    <div class="row soft source-or">
      <FilePicker label={t('source.pick')} icon={UPLOAD} onPick={onPick} error={error} />
      <FilePicker label={t('source.pickFolder')} icon={FOLDER} isFolder onPick={onPick} />
      {children}
      <small class="source-hint">{t('source.drop')}</small>
      {maxFileBytes !== undefined && <small>{t('source.limit', { size: format.bytes(maxFileBytes) })}</small>}
      <FieldError id="source-error" error={error} />
    </div>
  );
}
