import { useLayoutEffect, useRef } from 'preact/hooks';
import { completeTargetUrl } from '../../client/target-url.ts';
import { CROSS, FILE, UPLOAD } from '../../src/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from '../shell/icon.tsx';
import { Notice } from '../shell/notice.tsx';
import { useSession } from '../shell/session.tsx';
import type { Source } from './draft.ts';
import { errorAttributes, FieldError, type FormError } from './form-error.tsx';
import type { ChosenSource, SourceNotice } from './use-source.ts';

type Props = {
  source: Source;
  takesFocus: boolean;
  notice: SourceNotice | undefined;
  error: FormError | undefined;
  /** Takes what was typed, removed or restored. */
  onChange(source: Source): void;
  onChoose(chosen: ChosenSource): void;
};

/** The target of the link: a URL, or a file in its place. */
export function SourceField({ source, takesFocus, notice, error, onChange, onChoose }: Props) {
  // The pressed button disappears with the other kind of source, and the focus with it. An effect after the page is painted
  // could take the focus from where a quick key has moved it.
  const area = useRef<HTMLDivElement>(null);
  const needsFocus = useRef(takesFocus);
  useLayoutEffect(() => {
    if (needsFocus.current) area.current?.querySelector<HTMLElement>('#targetUrl, #file')?.focus();
    needsFocus.current = true;
  }, [source.kind]);

  // A field that gives way to a file loses the focus, and must not come back with its completed URL.
  const latest = useRef(source);
  latest.current = source;
  const changeUrl = (text: string): void => {
    if (latest.current.kind === 'URL') onChange({ kind: 'URL', text });
  };

  return (
    <div ref={area} class="source" data-invalid={error ? '' : undefined}>
      {source.kind === 'URL' ? (
        <>
          <UrlField
            text={source.text}
            error={error?.field === 'file' ? undefined : error}
            onChange={changeUrl}
          />
          <FilePicker
            error={error?.field === 'file' ? error : undefined}
            onPick={(file) => onChoose({ source: { kind: 'FILE', file }, isOneOfMany: false })}
          />
        </>
      ) : (
        <>
          <SelectedFile
            file={source.file}
            error={error}
            onRemove={() => onChange({ kind: 'URL', text: '' })}
          />
          <FieldError id="source-error" error={error} />
        </>
      )}
      <SourceNoticeLine notice={notice} onUndo={onChange} />
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

function FilePicker({ error, onPick }: { error: FormError | undefined; onPick(file: File): void }) {
  const { t, format } = useI18n();
  const maxFileBytes = useSession().settings?.maxFileBytes;
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="source-or">
      <span class="source-hint">{t('source.drop')}</span>
      <button
        type="button"
        class="button"
        onClick={() => input.current?.click()}
        {...errorAttributes('source-error', error)}
      >
        <Icon path={UPLOAD} />
        {t('source.pick')}
      </button>
      {maxFileBytes !== undefined && <small>{t('source.limit', { size: format.bytes(maxFileBytes) })}</small>}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('source.pick')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onPick(file);
          // The same file can be chosen again after it was refused.
          currentTarget.value = '';
        }}
      />
      <FieldError id="source-error" error={error} />
    </div>
  );
}

function SelectedFile(props: { file: File; error: FormError | undefined; onRemove(): void }) {
  const { t, format } = useI18n();
  return (
    <div class="source-file">
      <Icon path={FILE} />
      <p>
        <strong class="file-name">{props.file.name}</strong>
        <span class="soft">{format.bytes(props.file.size)}</span>
      </p>
      <button
        id="file"
        type="button"
        class="button button-quiet"
        onClick={props.onRemove}
        {...errorAttributes('source-error', props.error)}
      >
        <Icon path={CROSS} />
        {t('source.remove')}
      </button>
    </div>
  );
}
