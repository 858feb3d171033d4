import { useEffect, useRef, useState } from 'preact/hooks';
import { CROSS, FILE, FOLDER, UPLOAD } from '../../src/common/icons.ts';
import { type ChosenFile, toRemembered, totalBytesOf } from '../files/chosen-files.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from '../shell/icon.tsx';
import type { Draft, FileSource } from './draft.ts';
import './files.css';
import { Field } from '../form/field.tsx';
import { errorAttributes, FieldError, type FormError } from '../form/form-error.tsx';
import { FilePicker } from './file-picker.tsx';
import { toFileName } from './file-source.ts';

type Props = {
  draft: Draft;
  source: FileSource;
  error: FormError | undefined;
  onChange(changed: Partial<Draft>): void;
  onAdd(files: ChosenFile[]): void;
  /** Removes the last file. */
  onRemove(): void;
};

/** As many files are shown at first: a folder can have thousands. */
const SHOWN_FILES = 50;

/** The chosen files: their names and sizes, and what else can be added. */
export function FileList({ draft, source, error, onChange, onAdd, onRemove }: Props) {
  const { t } = useI18n();
  const { files } = source;
  const setFiles = (files: ChosenFile[]): void =>
    files.length === 0 ? onRemove() : onChange({ source: { ...source, files } });
  return (
    <>
      {files.length > 1 && <Files source={source} error={error} onFiles={setFiles} onRemove={onRemove} />}
      <div class="row source-pick">
        {files.length === 1 && <OnlyFile source={source} error={error} onRemove={onRemove} />}
        <FilePicker label={t('source.add')} icon={UPLOAD} onPick={onAdd} />
        <FilePicker label={t('source.addFolder')} icon={FOLDER} isFolder onPick={onAdd} />
        <FieldError id="source-error" error={error} />
      </div>
      {files.length > 1 && !draft.encrypt && (
        <Field
          name="zipName"
          label={t('source.zipName')}
          placeholder={toFileName({ ...source, name: '' })}
          value={source.name}
          onInput={(name) => onChange({ source: { ...source, name } })}
        />
      )}
    </>
  );
}

/** Takes the focus when it appears: the button that was pressed has disappeared. A button that removes files must not take it. */
function useFocus<Taker extends HTMLElement>() {
  const taker = useRef<Taker>(null);
  useEffect(() => taker.current?.focus(), []);
  return taker;
}

type OnlyFileProps = { source: FileSource; error: FormError | undefined; onRemove(): void };

function OnlyFile({ source, error, onRemove }: OnlyFileProps) {
  const { t, format } = useI18n();
  const name = toFileName(source);
  const size = format.bytes(totalBytesOf(source.files));
  return (
    <fieldset
      ref={useFocus<HTMLFieldSetElement>()}
      class="bare row source-file"
      aria-label={`${name}, ${size}`}
      tabIndex={-1}
      {...errorAttributes('source-error', error)}
    >
      <Icon path={FILE} />
      <p>
        <strong class="break">{name}</strong>
        <span class="soft">{size}</span>
      </p>
      <button
        type="button"
        class="button button-quiet"
        aria-label={t('source.remove')}
        title={t('source.remove')}
        onClick={onRemove}
      >
        <Icon path={CROSS} />
      </button>
    </fieldset>
  );
}

type FilesProps = OnlyFileProps & { onFiles(files: ChosenFile[]): void };

function Files({ source: { files }, error, onFiles, onRemove }: FilesProps) {
  const { t, format } = useI18n();
  const [shown, setShown] = useState(SHOWN_FILES);
  const list = useFocus<HTMLUListElement>();
  return (
    <>
      <div class="row spread source-head">
        <strong id="source-count" role="status">
          {t('source.count', { count: files.length, size: format.bytes(totalBytesOf(files)) })}
        </strong>
        <button type="button" class="button button-quiet" onClick={onRemove}>
          <Icon path={CROSS} />
          {t('source.removeAll')}
        </button>
      </div>
      {/* A part that scrolls can be reached with the keyboard by its buttons. */}
      <ul
        ref={list}
        class="plain source-files"
        aria-labelledby="source-count"
        tabIndex={-1}
        {...errorAttributes('source-error', error)}
      >
        {files.slice(0, shown).map((each) => (
          <li key={JSON.stringify(toRemembered(each))} class="row">
            <span class="break file-name">{each.path}</span>
            <span class="soft">{format.bytes(each.file.size)}</span>
            <button
              type="button"
              class="button button-quiet"
              aria-label={`${t('source.remove')}: ${each.path}`}
              onClick={() => {
                list.current?.focus();
                onFiles(files.filter((file) => file !== each));
              }}
            >
              <Icon path={CROSS} />
            </button>
          </li>
        ))}
      </ul>
      {files.length > shown && (
        <button type="button" class="button button-quiet" onClick={() => setShown(shown * 10)}>
          {t('mine.more', { count: files.length - shown })}
        </button>
      )}
    </>
  );
}
