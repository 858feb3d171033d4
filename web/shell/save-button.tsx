import { useState } from 'preact/hooks';
import { DOWNLOAD } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from './icon.tsx';

type Props = {
  /** The format. */
  kind: 'CSV' | 'NDJSON' | 'PNG' | 'SVG';
  /** Names the contents. It is shown instead of the format where `isLabelShown`. */
  label: string;
  isLabelShown?: boolean;
  /** The text that it shows instead. */
  shown?: string;
  fileName: string;
  createFile(): Blob | Promise<Blob>;
};

/** A button that saves a file which the page creates. */
export function SaveButton({ kind, label, isLabelShown = false, shown, fileName, createFile }: Props) {
  const { t } = useI18n();
  const [isFailed, setFailed] = useState(false);
  const save = async (): Promise<void> => {
    try {
      download(`${fileName}.${kind.toLowerCase()}`, await createFile());
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <>
      <button
        type="button"
        class={isLabelShown ? 'button' : 'button button-quiet'}
        aria-label={label}
        onClick={() => void save()}
      >
        <Icon path={DOWNLOAD} />
        {shown ?? (isLabelShown ? label : kind)}
      </button>
      {isFailed && (
        <p class="field-error" role="alert">
          {t('save.failed')}
        </p>
      )}
    </>
  );
}

function download(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // A download that has started no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url));
}

export function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('This browser cannot create a PNG'))),
      'image/png',
    );
  });
}
