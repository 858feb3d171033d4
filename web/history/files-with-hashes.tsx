import { useI18n } from '../i18n/i18n.tsx';
import type { FileOfSet } from '../service/contract.ts';

/** Names, sizes and checksums of files. */
export function FilesWithHashes({ files }: { files: readonly FileOfSet[] }) {
  const { format } = useI18n();
  return (
    <ul>
      {files.map(({ name, sizeBytes, sha256 }) => (
        <li key={name}>
          <bdi>{name}</bdi> <span class="soft">{format.bytes(sizeBytes)}</span> SHA-256 <code>{sha256}</code>
        </li>
      ))}
    </ul>
  );
}
