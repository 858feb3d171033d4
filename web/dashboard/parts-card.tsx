import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/i18n.tsx';
import { Card, SaveCsv, SavePng } from './card.tsx';
import { ChartCanvas } from './chart-canvas.tsx';
import type { Part } from './chart-model.ts';
import { Swatch } from './swatch.tsx';

/** Parts of a whole: a ring, and beside it the table that is its legend. `name` is what programs call a part. */
export function PartsCard({
  id,
  title,
  subtitle,
  headings,
  parts,
  empty,
  children,
}: {
  id: string;
  title: string;
  subtitle: string;
  headings: { name: string; part: string; count: string };
  parts: (Part & { name: string })[];
  empty: string;
  children?: ComponentChildren;
}) {
  const { t, format } = useI18n();
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const shareOf = (value: number) => format.percent((100 * value) / total);
  const drawing = { kind: 'ring' as const, parts: parts.filter(({ value }) => value > 0) };
  const table = {
    columns: [
      { name: headings.name, heading: headings.part },
      { name: 'count', heading: headings.count },
    ],
    rows: parts.map(({ name, label, value }) => [
      { raw: name, shown: label },
      { raw: value, shown: format.number(value) },
    ]),
  };
  const actions = (
    <>
      <SaveCsv name={id} title={title} table={table} />
      <SavePng name={id} title={title} subtitle={subtitle} drawing={drawing} />
    </>
  );
  return (
    <Card id={id} title={title} subtitle={subtitle} actions={total > 0 && actions}>
      {total === 0 ? (
        <p class="card-empty soft">{empty}</p>
      ) : (
        <div class="parts">
          <ChartCanvas drawing={drawing} title={title} />
          <table class="parts-table">
            <thead class="visually-hidden">
              <tr>
                <th scope="col">{headings.part}</th>
                <th scope="col">{headings.count}</th>
                <th scope="col">{t('column.share')}</th>
              </tr>
            </thead>
            <tbody>
              {parts.map(({ name, label, colour, value }) => (
                <tr key={name} data-none={value === 0 || undefined}>
                  <th scope="row">
                    <Swatch colour={colour} />
                    {label}
                  </th>
                  <td>{format.number(value)}</td>
                  <td class="soft">{shareOf(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {children}
    </Card>
  );
}
