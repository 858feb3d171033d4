import { useEffect, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { CrossIcon, FileIcon, UploadIcon } from '../shell/icons.tsx';
import type { Source } from './draft.ts';
import { type Fault, FieldError, faultOf } from './field-error.tsx';

/** Where the reader says what the link is for: a URL, or a file in its place. */
export function SourceField({
  source,
  takesFocus,
  fault,
  onChange,
}: {
  source: Source;
  takesFocus: boolean;
  fault: Fault | undefined;
  onChange(source: Source): void;
}) {
  const { t, format } = useI18n();
  const picker = useRef<HTMLInputElement>(null);
  // The button that was pressed goes away with the other kind of source, and with it the focus.
  const place = useRef<HTMLDivElement>(null);
  const isToFocus = useRef(takesFocus);
  useEffect(() => {
    if (isToFocus.current) place.current?.querySelector<HTMLElement>('#targetUrl, #file')?.focus();
    isToFocus.current = true;
  }, [source.kind]);
  const take = (files: FileList | null): void => {
    const [file] = files ?? [];
    if (file) onChange({ kind: 'FILE', file });
  };

  return (
    <div ref={place} class="source" data-invalid={fault ? '' : undefined}>
      {source.kind === 'URL' ? (
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
            value={source.text}
            onInput={({ currentTarget: { value } }) => onChange({ kind: 'URL', text: value })}
            {...faultOf('source-error', fault)}
          />
          <p class="source-or">
            <span class="source-hint">{t('source.drop')}</span>
            <button type="button" class="button" onClick={() => picker.current?.click()}>
              <UploadIcon />
              {t('source.pick')}
            </button>
          </p>
        </>
      ) : (
        <section class="source-file" aria-label={t('source.file')}>
          <FileIcon />
          <p>
            <strong class="file-name">{source.file.name}</strong>
            <span class="soft">{format.bytes(source.file.size)}</span>
          </p>
          <button
            id="file"
            type="button"
            class="button button-quiet"
            onClick={() => onChange({ kind: 'URL', text: '' })}
            {...faultOf('source-error', fault)}
          >
            <CrossIcon />
            {t('source.remove')}
          </button>
        </section>
      )}
      <input
        ref={picker}
        class="file-picker"
        type="file"
        hidden
        aria-label={t('source.pick')}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = ''; // or the same file could not be picked again
        }}
      />
      <FieldError id="source-error" fault={fault} />
    </div>
  );
}
