import { useEffect, useRef, useState } from 'preact/hooks';
import { CROSS, UPLOAD } from '../../../src/common/icons.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { type FormError, toFormError } from '../../form/form-error.tsx';
import { UploadProgress } from '../../form/upload-progress.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { requestJson } from '../../service/api.ts';
import type { FileOfSet, LinkDescription } from '../../service/contract.ts';
import { type LinkReference, MAX_LISTED_FILES, ofLink, readTaggedLink } from '../../service/links.ts';
import type { Outcome } from '../../service/outcome.ts';
import type { Progress } from '../../service/progress.ts';
import { type Kept, keepFiles, replaceByUpload, replaceFile, type Upload } from '../../service/upload.ts';
import { Icon } from '../../shell/icon.tsx';
import { useSession } from '../../shell/session.tsx';

/** Returns whether files can be added to those of a link, or removed from them. */
export function hasFiles({ type, file }: LinkDescription): boolean {
  return type === 'DOWNLOAD' && !file?.text && !file?.encrypted && (file?.fileCount ?? 1) <= MAX_LISTED_FILES;
}

/** The files of a link in the version of an entity tag. */
type Present = { link: LinkDescription; entityTag: string | null; files: FileOfSet[] };

/** Reads the version first: files that were changed after it are refused with it. */
async function readPresent(reference: LinkReference): Promise<Outcome<Present>> {
  const tagged = await readTaggedLink(reference);
  if (tagged.kind !== 'DONE') return tagged;
  const listed = await requestJson('GET', '/api/links/{shortCode}/files', ofLink(reference));
  return listed.kind === 'DONE'
    ? { kind: 'DONE', value: { ...tagged.value, files: listed.value.files } }
    : listed;
}

type Props = { link: LinkReference; onClose(): void; onSaved(link: LinkDescription): void };

/** An upload for a link that its dialog has started, with its progress and its error. */
export function useUpload({ link, onClose, onSaved }: Props) {
  const i18n = useI18n();
  const { may, settings } = useSession();
  const [error, setError] = useState<FormError>();
  const [upload, setUpload] = useState<Upload<LinkDescription>>();
  const [progress, setProgress] = useState<Progress>();
  const start = async (started: Upload<LinkDescription>): Promise<void> => {
    setError(undefined);
    setUpload(started);
    const outcome = await started.outcome;
    setUpload(undefined);
    setProgress(undefined);
    if (outcome.kind === 'DONE') onSaved(outcome.value);
    else setError(toFormError(outcome, i18n));
  };
  return {
    ...{ error, setError, upload, progress, start },
    /** Replaces the files of the link, except for those that stay. */
    replace(files: readonly File[], kept?: Kept): Promise<void> {
      // Who has only the token of the link begins no upload, and sends a form, which has a lower limit.
      return start(
        settings && may('create')
          ? replaceByUpload(link, files, { ...settings.upload, onProgress: setProgress }, kept)
          : replaceFile(link, files, setProgress, kept),
      );
    },
    /** Closes the dialog, and cancels what it uploads. */
    close(): void {
      upload?.cancel();
      onClose();
    },
  };
}

/** Adds files to those of a link, and removes some. */
export function FilesDialog(props: Props) {
  const { link, onClose } = props;
  const i18n = useI18n();
  const { t } = i18n;
  const [present, setPresent] = useState<Present>();
  const [rows, setRows] = useState<Row[]>([]);
  const { error, setError, upload, progress, start, replace, close } = useUpload(props);
  useEffect(() => {
    void readPresent(link).then((outcome) => {
      if (outcome.kind !== 'DONE') return setError(toFormError(outcome, i18n));
      setPresent(outcome.value);
      setRows(outcome.value.files.map((file, index) => ({ ...file, number: index + 1 })));
    });
  }, []);
  const save = async (): Promise<void> => {
    if (!present) return;
    if (rows.length === 0) return setError({ field: 'file', text: t('error.fileMissing') });
    const staying = rows.flatMap(({ number }) => number ?? []);
    const added = rows.flatMap(({ file }) => file ?? []);
    if (added.length === 0 && staying.length === present.files.length) return onClose();
    const kept = { keep: staying.join(','), entityTag: present.entityTag };
    if (added.length === 0) return start({ outcome: keepFiles(link, kept), cancel: () => undefined });
    await replace(added, kept);
  };
  return (
    <FormDialog
      title={t('files.change')}
      action={upload || !present ? undefined : t('edit.save')}
      error={error}
      onSubmit={() => void save()}
      onClose={close}
    >
      <p>{t('files.changeHint')}</p>
      {present && present.link.viewCount > 0 && <p class="soft">{t('files.wasOpened')}</p>}
      {!present && !error && <p role="status">{t('edit.loading')}</p>}
      {present && (
        <fieldset class="bare" disabled={upload !== undefined}>
          <Rows rows={rows} onChange={setRows} />
        </fieldset>
      )}
      {progress && upload && <UploadProgress progress={progress} cancel={upload.cancel} />}
    </FormDialog>
  );
}

/** A file in the list: one that stays, by its number, or one to add. */
type Row = Pick<FileOfSet, 'name' | 'sizeBytes'> & { number?: number; file?: File };

function Rows({ rows, onChange }: { rows: Row[]; onChange(rows: Row[]): void }) {
  const { t, format } = useI18n();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <ul
        ref={list}
        class="plain dialog-files"
        tabIndex={-1}
        aria-label={t('files.count', { count: rows.length })}
      >
        {rows.map((row) => (
          <li key={row.number ?? row.name} class="row">
            <bdi class="break">{row.name}</bdi>
            <span class="soft">{format.bytes(row.sizeBytes)}</span>
            <button
              type="button"
              class="button button-quiet"
              aria-label={`${t('source.remove')}: ${row.name}`}
              onClick={() => {
                list.current?.focus(); // the button disappears
                onChange(rows.filter((each) => each !== row));
              }}
            >
              <Icon path={CROSS} />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        <Icon path={UPLOAD} />
        {t('source.add')}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('source.add')}
        onChange={({ currentTarget }) => {
          const added = Array.from(currentTarget.files ?? []);
          onChange([...rows, ...added.map((file) => ({ name: file.name, sizeBytes: file.size, file }))]);
          currentTarget.value = ''; // the same file can be chosen again
        }}
      />
    </>
  );
}
