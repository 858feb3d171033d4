import { useEffect, useRef } from 'preact/hooks';
import { useVerifyTexts } from '../history/verify-texts.ts';

type Props = {
  /** Unique on the page. */
  id: string;
  file: File | null;
  label: string;
  hint: string;
  error?: string | undefined;
  onChoose(file: File | null): void;
};

/** A field for one file, which may also come from elsewhere, such as a drop on the page. */
export function FileField({ id, file, label, hint, error, onChoose }: Props) {
  const text = useVerifyTexts();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A browser shows the name of a file in its own field only if the field has it.
    if (!file || !input.current || input.current.files?.[0] === file) return;
    const data = new DataTransfer();
    data.items.add(file);
    input.current.files = data.files;
  }, [file]);
  useEffect(() => {
    if (error !== undefined) input.current?.focus();
  }, [error]);
  return (
    <div class="text-field file-field">
      <label for={id}>{label}</label>
      {/* The browser's own button speaks its language, not that of the page. */}
      <div class="row file-choice">
        <span class="button" aria-hidden="true">
          {text('chooseFile')}
        </span>
        <bdi aria-hidden="true">{file?.name}</bdi>
        <input
          ref={input}
          id={id}
          type="file"
          aria-describedby={`${id}-hint`}
          aria-invalid={error !== undefined || undefined}
          onChange={({ currentTarget: { files } }) => onChoose(files?.[0] ?? null)}
        />
      </div>
      <small id={`${id}-hint`} class={error === undefined ? 'soft' : 'field-error'}>
        {error ?? hint}
      </small>
    </div>
  );
}
