import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { type Drawing, legendOf } from './chart-model.ts';
import type { Drawn } from './chart-renderer.ts';

/** Whatever changes the colours of the page. */
const COLOUR_QUERIES = [
  '(prefers-color-scheme: dark)',
  '(prefers-contrast: more)',
  '(forced-colors: active)',
];

/** A chart, drawn anew in place when its figures or the colours of the page change. */
export function ChartCanvas({ drawing, title }: { drawing: Drawing; title: string }) {
  const { t, format } = useI18n();
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const latest = useRef(drawing);
  latest.current = drawing;
  const [isFailed, setFailed] = useState(false);

  useEffect(() => {
    let isGone = false;
    const redraw = (): void => drawn.current?.redraw(latest.current, format.number);
    const start = async (): Promise<void> => {
      try {
        const { draw } = await import('./chart-renderer.ts');
        if (!isGone && canvas.current) drawn.current = draw(canvas.current, latest.current, format.number);
      } catch {
        setFailed(true);
      }
    };
    void start();
    const queries = COLOUR_QUERIES.map((query) => matchMedia(query));
    for (const query of queries) query.addEventListener('change', redraw);
    return () => {
      isGone = true;
      for (const query of queries) query.removeEventListener('change', redraw);
      drawn.current?.remove();
      drawn.current = null;
    };
  }, []);
  const figures = JSON.stringify(drawing);
  useEffect(() => drawn.current?.redraw(latest.current, format.number), [figures, format]);

  if (isFailed) return <p class="card-empty soft">{t('board.notDrawn')}</p>;
  const legend = legendOf(drawing).map(({ label, value }) => `${label}: ${format.number(value)}`);
  return (
    <div class={`chart chart-${drawing.kind}`}>
      <canvas ref={canvas} role="img" aria-label={`${title}. ${legend.join(', ')}`} />
    </div>
  );
}
