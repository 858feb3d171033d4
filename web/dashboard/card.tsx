import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { DownloadIcon } from '../shell/icons.tsx';
import { save, toPng } from '../shell/save.ts';
import type { Drawing } from './chart-model.ts';
import { toCsv } from './csv.ts';
import type { Table } from './table.tsx';

/** A part of the board, by its title. */
export function Card({
  id,
  title,
  subtitle,
  actions,
  isWide = false,
  children,
}: {
  id: string;
  title: string;
  subtitle?: string;
  actions?: ComponentChildren;
  isWide?: boolean;
  children: ComponentChildren;
}) {
  return (
    <section class={`card board-card ${isWide ? 'board-wide' : ''}`} aria-labelledby={`${id}-title`}>
      <div class="board-card-head">
        <div>
          <h3 id={`${id}-title`}>{title}</h3>
          {subtitle && <p class="soft small">{subtitle}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export function SaveCsv({ name, title, table }: { name: string; title: string; table: Table }) {
  const saveTable = (): void => {
    const content = toCsv(
      table.columns.map(({ name }) => name),
      table.rows.map((row) => row.map(({ raw }) => raw)),
    );
    save(`postern-${name}.csv`, new Blob([content], { type: 'text/csv' }));
  };
  return (
    <button type="button" class="button button-quiet" aria-label={`CSV: ${title}`} onClick={saveTable}>
      <DownloadIcon />
      CSV
    </button>
  );
}

export function SavePng({
  name,
  title,
  subtitle,
  drawing,
}: {
  name: string;
  title: string;
  subtitle: string;
  drawing: Drawing;
}) {
  const { t, format } = useI18n();
  const [isFailed, setFailed] = useState(false);
  const savePicture = async (): Promise<void> => {
    try {
      const { renderPng } = await import('./chart-renderer.ts');
      const picture = renderPng(drawing, { title, subtitle }, format.number);
      save(`postern-${name}.png`, await toPng(picture));
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <>
      <button
        type="button"
        class="button button-quiet"
        aria-label={`PNG: ${title}`}
        onClick={() => void savePicture()}
      >
        <DownloadIcon />
        PNG
      </button>
      {isFailed && (
        <p class="field-error" role="alert">
          {t('board.notDrawn')}
        </p>
      )}
    </>
  );
}
