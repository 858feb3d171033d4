import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { type ChartModel, legendOf } from './chart-model.ts';
import type { FormatNumber, RenderedChart } from './chart-renderer.ts';

/** Everything that changes the colours of the page. */
const COLOUR_QUERIES = [
  '(prefers-color-scheme: dark)',
  '(prefers-contrast: more)',
  '(forced-colors: active)',
];

/** A chart, updated in place when its figures or the colours of the page change. */
export function ChartCanvas({ chart, title }: { chart: ChartModel; title: string }) {
  const { t, format } = useI18n();
  const { canvas, isFailed } = useRenderedChart(chart, format.number);
  if (isFailed) return <p class="card-empty soft">{t('chart.failed')}</p>;
  const legend = legendOf(chart).map(({ label, value }) => `${label}: ${format.number(value)}`);
  return (
    <div class={`chart chart-${chart.kind}`}>
      <canvas ref={canvas} role="img" aria-label={`${title}. ${legend.join(', ')}`} />
    </div>
  );
}

function useRenderedChart(model: ChartModel, formatNumber: FormatNumber) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const rendered = useRef<RenderedChart | null>(null);
  const [isFailed, setFailed] = useState(false);
  const update = useRef(() => {});
  update.current = () => rendered.current?.update(model, formatNumber);

  useEffect(() => {
    let isUnmounted = false;
    import('./chart-renderer.ts')
      .then(({ renderChart }) => {
        if (isUnmounted || !canvas.current) return;
        rendered.current = renderChart(canvas.current, model, formatNumber);
        update.current(); // The figures may have changed while the module was loading.
      })
      .catch(() => setFailed(true));
    return () => {
      isUnmounted = true;
      rendered.current?.destroy();
      rendered.current = null;
    };
  }, []);
  useEffect(() => update.current(), [JSON.stringify(model), formatNumber]);
  useEffect(() => {
    const controller = new AbortController();
    for (const query of COLOUR_QUERIES) {
      matchMedia(query).addEventListener('change', () => update.current(), { signal: controller.signal });
    }
    return () => controller.abort();
  }, []);
  return { canvas, isFailed };
}
