import { useState } from 'preact/hooks';
import type { FileError, FileProblem } from '../../../client/bulk-csv.ts';
import { LINK_COLUMNS } from '../../../src/core/model/terms.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { serviceUrl } from '../../service/requests.ts';
import { ConfirmDialog } from '../../shell/dialog.tsx';
import { useSession } from '../../shell/session.tsx';
import { BulkForm } from './bulk-form.tsx';
import type { BulkMessages } from './bulk-texts/en.ts';
import { BulkTexts, useBulkTexts } from './bulk-texts.ts';
import { type ChosenFile, checkRows } from './check-rows.ts';
import { ChooseFile } from './choose-file.tsx';

const PROBLEM_TEXTS = {
  EMPTY: 'bulk.empty',
  NO_TARGET: 'bulk.noTarget',
  QUOTES: 'bulk.quotes',
  DUPLICATE_COLUMN: 'bulk.duplicateColumn',
  UNKNOWN_COLUMN: 'bulk.unknownColumn',
  TOO_MANY: 'bulk.tooMany',
} as const satisfies Record<FileProblem, keyof BulkMessages>;

/** Creates many links from a file, one of each row. */
export function BulkView() {
  return (
    <BulkTexts>
      <LinksFromFile />
    </BulkTexts>
  );
}

function LinksFromFile() {
  const { t } = useI18n();
  const bulkT = useBulkTexts();
  const { chosen, error, choose } = useFile();
  const columns = error?.columns?.join(', ') ?? '';
  const [isUnsaved, setUnsaved] = useState(false);
  const [waiting, setWaiting] = useState<File>();
  const replace = (file: File): void => {
    setWaiting(undefined);
    void choose(file);
  };
  return (
    <>
      <div class="row spread head links-head">
        <h1>{t('bulk.title')}</h1>
        <a class="button" href={serviceUrl('links').href}>
          {t('board.links')}
        </a>
      </div>
      <ChooseFile
        problem={error && bulkT(PROBLEM_TEXTS[error.problem], { columns })}
        onChoose={isUnsaved ? setWaiting : replace}
      />
      {chosen && <BulkForm key={chosen.generation} file={chosen} onUnsaved={setUnsaved} />}
      {waiting && (
        <ConfirmDialog
          title={bulkT('bulk.replaceTitle')}
          action={bulkT('bulk.replace')}
          onConfirm={() => replace(waiting)}
          onClose={() => setWaiting(undefined)}
        >
          <p>{bulkT('bulk.replaceWarning')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Reads and checks the file that the user chooses. The parser is loaded with the first file. */
function useFile() {
  const policy = useSession().settings?.links ?? { customCodes: true, passwordRequired: false };
  const [chosen, setChosen] = useState<ChosenFile>();
  const [error, setError] = useState<FileError>();

  async function choose(file: File): Promise<void> {
    const { parseCsv, readText } = await import('../../../client/bulk-csv.ts');
    const parsed = parseCsv(await readText(file), LINK_COLUMNS);
    setError(parsed.ok ? undefined : parsed);
    setChosen((former) => {
      if (!parsed.ok) return undefined;
      const checked = checkRows(parsed.file.rows, policy, Date.now());
      return { ...parsed.file, name: file.name, checked, generation: (former?.generation ?? 0) + 1 };
    });
  }
  return { chosen, error, choose };
}
