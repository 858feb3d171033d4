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
import { type BarChart, type ChartModel, legendOf, type RingChart } from './chart-model.ts';

// Loaded on demand: the figures and tables are shown before the charts. uPlot has no rings, and SVG of our own would have
// thousands of elements for a month by the hour.

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
function renderOffscreen(
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

function createCanvas({ width, height }: { width: number; height: number }): HTMLCanvasElement {
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

function pageFont(): string {
  return getComputedStyle(document.body).fontFamily;
}

/** Returns the current colour of a CSS custom property, in a form that a canvas accepts. */
type ColourOf = (property: string) => string;

/** Resolves colours through an element: a property may refer to another one, or to a system colour. */
function readColours(): ColourOf {
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

const PICTURE_SIZE = { width: 1200, height: 640 };
const MARGIN = 40;
const LEGEND_WIDTH = 340;

/** Renders a chart with its title, subtitle and legend in one fixed size. */
export function renderPng(
  model: ChartModel,
  texts: { title: string; subtitle: string },
  formatNumber: FormatNumber,
): HTMLCanvasElement {
  const picture = createCanvas(PICTURE_SIZE);
  const context = picture.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas');
  const colourOf = readColours();
  const renderText = (text: string, x: number, y: number, font: string, colour = '--ink'): void => {
    context.fillStyle = colourOf(colour);
    context.font = `${font} ${pageFont()}`;
    context.fillText(text, x, y);
  };
  context.fillStyle = colourOf('--card');
  context.fillRect(0, 0, PICTURE_SIZE.width, PICTURE_SIZE.height);
  renderText(texts.title, MARGIN, 62, '600 28px');
  renderText(texts.subtitle, MARGIN, 94, '18px', '--soft');

  const isRing = model.kind === 'ring';
  const top = isRing ? 130 : 170;
  const width = PICTURE_SIZE.width - 2 * MARGIN - (isRing ? LEGEND_WIDTH : 0);
  const chart = renderOffscreen(model, formatNumber, { width, height: PICTURE_SIZE.height - top - MARGIN });
  context.drawImage(chart, MARGIN, top);

  // The legend is a column to the right of a ring, or a row above bars.
  let [x, y] = isRing ? [MARGIN + width + 20, 180] : [MARGIN, 140];
  for (const { label, colour, value } of legendOf(model)) {
    context.fillStyle = colourOf(colour);
    context.fillRect(x, y - 14, 16, 16);
    const text = `${label}: ${formatNumber(value)}`;
    renderText(text, x + 26, y, '18px');
    if (isRing) y += 40;
    else x += 26 + context.measureText(text).width + 36;
  }
  return picture;
}
