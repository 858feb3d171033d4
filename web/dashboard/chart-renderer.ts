import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  DoughnutController,
  LinearScale,
  Tooltip,
  type TooltipItem,
} from 'chart.js';
import type { BarChart, ChartModel, RingChart } from './chart-model.ts';

// Loaded on demand: the figures and tables are shown before the charts.

Chart.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  DoughnutController,
  LinearScale,
  Tooltip,
);

export type FormatNumber = (value: number) => string;
/** A chart on the page, which follows the size of its container. */
export type RenderedChart = { update(model: ChartModel, formatNumber: FormatNumber): void; destroy(): void };

export function renderChart(
  canvas: HTMLCanvasElement,
  model: ChartModel,
  formatNumber: FormatNumber,
): RenderedChart {
  const chart = new Chart(canvas, configure(model, formatNumber));
  return {
    update(nextModel, nextFormatNumber) {
      const { data, options } = configure(nextModel, nextFormatNumber);
      chart.data = data;
      chart.options = options ?? {};
      chart.update('none');
    },
    destroy: () => chart.destroy(),
  };
}

/** Renders a chart in a fixed size, independent of the window. */
export function renderOffscreen(
  model: ChartModel,
  formatNumber: FormatNumber,
  size: { width: number; height: number },
): HTMLCanvasElement {
  const { options, ...configuration } = configure(model, formatNumber);
  const fixed = { ...options, responsive: false, devicePixelRatio: 1 };
  const chart = new Chart(createCanvas(size), { ...configuration, options: fixed });
  // Chart.js clears its canvas when the chart is destroyed.
  const copy = createCanvas(size);
  copy.getContext('2d')?.drawImage(chart.canvas, 0, 0);
  chart.destroy();
  return copy;
}

export function createCanvas({ width, height }: { width: number; height: number }): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

function configure(model: ChartModel, formatNumber: FormatNumber): ChartConfiguration {
  const style = { formatNumber, colourOf: readColours() };
  return model.kind === 'bars' ? configureBars(model, style) : configureRing(model, style);
}

type Style = { formatNumber: FormatNumber; colourOf: ColourOf };

function configureBars({ labels, ticks, series }: BarChart, style: Style): ChartConfiguration<'bar'> {
  const { colourOf } = style;
  return {
    type: 'bar',
    data: {
      labels,
      datasets: series.map(({ label, colour, values }) => ({
        label,
        data: values,
        backgroundColor: colourOf(colour),
        hoverBackgroundColor: colourOf(colour),
        // A background-coloured border separates stacked segments for colour-blind readers.
        borderColor: colourOf('--card'),
        borderWidth: { top: series.length > 1 ? 1 : 0 },
        borderSkipped: false,
        maxBarThickness: 36,
        categoryPercentage: 0.86,
        barPercentage: 1,
      })),
    },
    options: {
      ...commonOptions(style),
      interaction: { mode: 'index', intersect: false },
      scales: barScales(ticks, style),
    },
  };
}

function barScales(texts: BarChart['ticks'], { formatNumber, colourOf }: Style) {
  const ticks = {
    color: colourOf('--soft'),
    font: { family: pageFont() },
    maxRotation: 0,
    autoSkipPadding: 16,
  };
  return {
    x: {
      stacked: true,
      grid: { display: false },
      border: { color: colourOf('--edge') },
      ticks: { ...ticks, callback: (index) => texts[Number(index)] ?? '' },
      afterBuildTicks(axis) {
        axis.ticks = axis.ticks.filter(({ value }) => texts[value] !== null);
      },
    },
    y: {
      stacked: true,
      beginAtZero: true,
      suggestedMax: 4,
      border: { display: false },
      grid: { color: colourOf('--line') },
      ticks: { ...ticks, precision: 0, maxTicksLimit: 6, callback: (value) => formatNumber(Number(value)) },
    },
  } satisfies NonNullable<ChartConfiguration<'bar'>['options']>['scales'];
}

function configureRing({ slices }: RingChart, style: Style): ChartConfiguration<'doughnut'> {
  const { colourOf } = style;
  const colours = slices.map(({ colour }) => colourOf(colour));
  return {
    type: 'doughnut',
    data: {
      labels: slices.map(({ label }) => label),
      datasets: [
        {
          data: slices.map(({ value }) => value),
          backgroundColor: colours,
          hoverBackgroundColor: colours,
          borderColor: colourOf('--card'),
          hoverBorderColor: colourOf('--card'),
          borderWidth: 2,
        },
      ],
    },
    options: { ...commonOptions(style), cutout: '68%' },
  };
}

function commonOptions({ formatNumber, colourOf }: Style) {
  const font = { family: pageFont(), size: 13 };
  return {
    // A chart that refreshes while someone reads it must not move.
    animation: false as const,
    maintainAspectRatio: false,
    plugins: {
      tooltip: {
        backgroundColor: colourOf('--ink'),
        titleColor: colourOf('--card'),
        bodyColor: colourOf('--card'),
        multiKeyBackground: colourOf('--card'),
        titleFont: { ...font, weight: 'bold' as const },
        bodyFont: font,
        padding: 10,
        cornerRadius: 8,
        boxPadding: 4,
        callbacks: {
          label: ({ label, dataset, raw }: TooltipItem<'bar' | 'doughnut'>) =>
            ` ${dataset.label ?? label}: ${formatNumber(Number(raw))}`,
        },
      },
    },
  };
}

export function pageFont(): string {
  return getComputedStyle(document.body).fontFamily;
}

/** Returns the current colour of a CSS custom property, in a form that a canvas accepts. */
export type ColourOf = (property: string) => string;

/** Resolves colours through an element: a property may refer to another one, or to a system colour. */
export function readColours(): ColourOf {
  const cache = new Map<string, string>();
  return (property) => {
    const cached = cache.get(property);
    if (cached !== undefined) return cached;
    const probe = document.createElement('span');
    probe.style.setProperty('forced-color-adjust', 'none');
    probe.style.color = `var(${property})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    cache.set(property, color);
    return color;
  };
}
