import { useEffect, useRef } from 'preact/hooks';
import { CROSS, FILE, UPLOAD } from '../../src/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from '../shell/icon.tsx';
import type { Source } from './draft.ts';
import { errorAttributes, FieldError, type FormError } from './form-error.tsx';

type Props = {
  source: Source;
  takesFocus: boolean;
  error: FormError | undefined;
  onChange(source: Source): void;
};

/** The target of the link: a URL, or a file in its place. */
export function SourceField({ source, takesFocus, error, onChange }: Props) {
  // The pressed button disappears with the other kind of source, and the focus with it.
  const area = useRef<HTMLDivElement>(null);
  const needsFocus = useRef(takesFocus);
  useEffect(() => {
    if (needsFocus.current) area.current?.querySelector<HTMLElement>('#targetUrl, #file')?.focus();
    needsFocus.current = true;
  }, [source.kind]);

  return (
    <div ref={area} class="source" data-invalid={error ? '' : undefined}>
      {source.kind === 'URL' ? (
        <>
          <UrlField text={source.text} error={error} onChange={(text) => onChange({ kind: 'URL', text })} />
          <FilePicker onPick={(file) => onChange({ kind: 'FILE', file })} />
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
    </div>
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
        {...errorAttributes('source-error', props.error)}
      />
      <FieldError id="source-error" error={props.error} />
    </>
  );
}

function FilePicker({ onPick }: { onPick(file: File): void }) {
  const { t } = useI18n();
  const input = useRef<HTMLInputElement>(null);
  return (
    <p class="source-or">
      <span class="source-hint">{t('source.drop')}</span>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        <Icon path={UPLOAD} />
        {t('source.pick')}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('source.pick')}
        onChange={({ currentTarget: { files } }) => {
          const [file] = files ?? [];
          if (file) onPick(file);
        }}
      />
    </p>
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
