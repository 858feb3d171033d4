import { useRef } from 'preact/hooks';
import { type ChosenFile, toChosenFiles } from '../files/chosen-files.ts';
import { errorAttributes, type FormError } from '../form/form-error.tsx';
import { Icon } from '../shell/icon.tsx';

type FilePickerProps = {
  label: string;
  icon: string;
  isFolder?: boolean;
  error?: FormError | undefined;
  onPick(files: ChosenFile[]): void;
};

/** A button that opens the browser's choice of files, or of a folder. */
export function FilePicker({ label, icon, isFolder = false, error, onPick }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class={`button ${isFolder ? 'pick-folder' : ''}`}
        onClick={() => input.current?.click()}
        {...errorAttributes('source-error', error)}
      >
        <Icon path={icon} />
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        {...(isFolder && { webkitdirectory: true })}
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const files = toChosenFiles(currentTarget.files ?? []);
          if (files.length > 0) onPick(files);
          // The same file can be chosen again after it was refused.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
