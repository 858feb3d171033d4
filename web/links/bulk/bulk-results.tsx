import { sharedUrlOf } from '../../actions/shown-urls.ts';
import { toFormError } from '../../form/form-error.tsx';
import { type I18n, useI18n } from '../../i18n/i18n.tsx';
import type { BulkResult } from '../../service/contract.ts';
import { historyPageUrl } from '../../service/links.ts';
import { toRefusal } from '../../service/outcome.ts';
import { SaveButton } from '../../shell/save-button.tsx';
import { BulkTable } from './bulk-table.tsx';
import { useBulkTexts } from './bulk-texts.ts';
import type { ChosenFile, ValidRow } from './check-rows.ts';

type Created = { file: ChosenFile; rows: ValidRow[]; results: BulkResult[] };
type Props = Created & { onSaved(): void };

/** Shows the result of each row, and offers the results as a file. */
export function BulkResults({ file, rows, results, onSaved }: Props) {
  const i18n = useI18n();
  const bulkT = useBulkTexts();
  const { t, format } = i18n;
  const failed = results.filter(({ link }) => !link).length;
  const failedFirst = rows
    .map((row, index) => ({ row, result: results[index] }))
    .sort((a, b) => Number(a.result?.link !== undefined) - Number(b.result?.link !== undefined));
  return (
    <>
      {failed > 0 && <p class="form-error">{bulkT('bulk.failed', { count: failed })}</p>}
      <p>{bulkT('bulk.saveHint')}</p>
      <div class="actions">
        <SaveButton
          kind="CSV"
          label={bulkT('bulk.save')}
          isLabelShown
          fileName={`${file.name.replace(/\.\w+$/, '')}-links`}
          createFile={async () => {
            const result = await createResultFile({ file, rows, results }, i18n);
            onSaved();
            return result;
          }}
        />
      </div>
      <BulkTable
        headings={[t('column.link'), t('recipient'), t('edit.target')]}
        rows={failedFirst}
        renderRow={({ row: { row }, result }) => (
          <tr key={row.number} data-invalid={result?.link ? undefined : ''}>
            <td data-label={bulkT('bulk.row')}>{format.number(row.number)}</td>
            <td class="bulk-check">
              {result?.link ? (
                <a href={historyPageUrl(result.link.shortCode)}>{sharedUrlOf(result.link)}</a>
              ) : (
                <span class="bad">{errorOf(result, i18n)}</span>
              )}
            </td>
            <td data-label={t('recipient')}>{row.cells.recipient ?? row.cells.label}</td>
            <td data-label={t('edit.target')}>{row.cells.targetUrl}</td>
          </tr>
        )}
      />
    </>
  );
}

/** Returns the text of the error of a row, with the member that it concerns. */
function errorOf(result: BulkResult | undefined, i18n: I18n): string {
  const refusal = toRefusal(result?.status ?? 0, JSON.stringify(result?.error ?? null));
  const error = toFormError(refusal, i18n);
  return [error?.field, error?.text].filter(Boolean).join(': ');
}

/** Writes the result as CSV, without passwords: a file of links and their passwords would open them all. */
async function createResultFile({ file, rows, results }: Created, i18n: I18n): Promise<Blob> {
  const { formatCsv } = await import('../../../client/bulk-csv.ts');
  const lines = rows.map(({ row: { number, cells } }, index) => {
    const result = results[index];
    const made = result?.link;
    const { targetUrl = '', label = '', recipient = '', expiresAt = '', maxViews = '' } = cells;
    return [
      ...[String(number), made ? sharedUrlOf(made) : '', made?.shortCode ?? '', made?.token ?? ''],
      ...[targetUrl, label, recipient, expiresAt, maxViews, made?.fingerprint ?? ''],
      made ? '' : errorOf(result, i18n),
    ];
  });
  const header = ['row', 'link', 'shortCode', 'token', 'targetUrl', 'label', 'recipient'];
  const csv = formatCsv(
    [[...header, 'expiresAt', 'maxViews', 'fingerprint', 'error'], ...lines],
    file.delimiter,
  );
  // Spreadsheets need the mark to read UTF-8.
  return new Blob(['\uFEFF', csv], { type: 'text/csv' });
}
