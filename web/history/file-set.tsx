import { createContext } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { requestJson } from '../service/api.ts';
import type { FileOfSet, HistoryPage, LinkDescription } from '../service/contract.ts';
import { type LinkReference, MAX_LISTED_FILES, ofLink } from '../service/links.ts';

/** The files of a set, which entries of the history can name. `since`: from when on they are those of the link. */
export type FileSet = { files: FileOfSet[]; since: string };

export const FileSetContext = createContext<FileSet | undefined>(undefined);

/** Requests the files of a set. */
export function useFiles(link: LinkReference, file: LinkDescription['file'] | undefined): FileOfSet[] {
  const [files, setFiles] = useState<FileOfSet[]>([]);
  const isShown = (file?.fileCount ?? MAX_LISTED_FILES + 1) <= MAX_LISTED_FILES;
  useEffect(() => {
    setFiles([]);
    if (!isShown) return;
    void requestJson('GET', '/api/links/{shortCode}/files', ofLink(link)).then((outcome) => {
      if (outcome.kind === 'DONE') setFiles(outcome.value.files);
    });
  }, [link.shortCode, link.token, file?.partsSha256]);
  return files;
}

/** Returns the files with the time of their upload, as far as the loaded history has it. */
export function toFileSet(files: FileOfSet[], { items, next }: HistoryPage): FileSet | undefined {
  const replaced = items.find((item) => item.kind === 'CHANGED' && 'fileSha256' in item.details);
  const since = replaced?.at ?? (next === null ? '' : items.at(-1)?.at);
  return files.length > 0 && since !== undefined ? { files, since } : undefined;
}

/** The names and sizes of the files of a set. `isOpen`: at first. */
export function FileNames({ files, isOpen = false }: { files: FileOfSet[]; isOpen?: boolean }) {
  const { t, format } = useI18n();
  if (files.length === 0) return null;
  return (
    <details class="file-names" open={isOpen}>
      <summary>{t('files.count', { count: files.length })}</summary>
      <ul>
        {files.map(({ name, sizeBytes }) => (
          <li key={name}>
            <bdi>{name}</bdi> <span class="soft">{format.bytes(sizeBytes)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
