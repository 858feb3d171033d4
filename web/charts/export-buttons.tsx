import { useI18n } from '../i18n/i18n.tsx';
import { SaveButton, toPng } from '../shell/save-button.tsx';
import { type ChartModel, type Table, toCsv } from './chart-model.ts';

type Props = { id: string; title: string; subtitle: string; table: Table; chart?: ChartModel };

/** Buttons that save the table of a card, and its chart if it has one. */
export function ExportButtons({ id, title, subtitle, table, chart }: Props) {
  const { format } = useI18n();
  const fileName = `postern-${id}`;
  const createCsv = (): Blob => {
    const names = table.columns.map(({ name }) => name);
    const rows = table.rows.map(({ name, counts }) => [name, ...counts]);
    return new Blob([toCsv(names, rows)], { type: 'text/csv' });
  };
  const createPng =
    chart &&
    (async (): Promise<Blob> => {
      const { renderPng } = await import('./chart-renderer.ts');
      const ofZone = `${subtitle} (${format.timeZone})`; // the picture leaves the page, which says it
      return toPng(renderPng(chart, { title, subtitle: ofZone }, format.number));
    });
  return (
    <>
      <SaveButton kind="CSV" label={`CSV: ${title}`} fileName={fileName} createFile={createCsv} />
      {createPng && (
        <SaveButton kind="PNG" label={`PNG: ${title}`} fileName={fileName} createFile={createPng} />
      )}
    </>
  );
}
