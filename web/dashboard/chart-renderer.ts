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
} from 'chart.js';
import { type Drawing, legendOf } from './chart-model.ts';

// Loaded when there is something to draw: figures and tables stand there before.

Chart.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  DoughnutController,
  LinearScale,
  Tooltip,
);

/** How the reader's language writes a number. */
type FormatNumber = (value: number) => string;

export type Drawn = { redraw(drawing: Drawing, writeNumber: FormatNumber): void; remove(): void };

/** Draws into a canvas that follows the size of what is around it. */
export function draw(canvas: HTMLCanvasElement, drawing: Drawing, writeNumber: FormatNumber): Drawn {
  const chart = new Chart(canvas, configure(drawing, writeNumber));
  return {
    redraw(next, writeNext) {
      const { data, options } = configure(next, writeNext);
      chart.data = data;
      chart.options = options ?? {};
      chart.update('none');
    },
    remove: () => chart.destroy(),
  };
}

function configure(drawing: Drawing, writeNumber: FormatNumber): ChartConfiguration {
  const colours = readColours();
  return drawing.kind === 'bars'
    ? configureBars(drawing, writeNumber, colours)
    : configureRing(drawing, writeNumber, colours);
}

function configureBars(
  { labels, ticks: below, series }: Extract<Drawing, { kind: 'bars' }>,
  writeNumber: FormatNumber,
  colourOf: ColourOf,
): ChartConfiguration<'bar'> {
  const ticks = { color: colourOf('--soft'), font: fontOf(), maxRotation: 0, autoSkipPadding: 16 };
  return {
    type: 'bar',
    data: {
      labels,
      datasets: series.map(({ label, colour, values }) => ({
        label,
        data: values,
        backgroundColor: colourOf(colour),
        hoverBackgroundColor: colourOf(colour),
        // A line of the ground between what stands on each other, for those who do not tell its colours apart.
        borderColor: colourOf('--card'),
        borderWidth: { top: series.length > 1 ? 1 : 0 },
        borderSkipped: false,
        maxBarThickness: 36,
        categoryPercentage: 0.86,
        barPercentage: 1,
      })),
    },
    options: {
      ...commonOptions(writeNumber, colourOf),
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          stacked: true,
          grid: { display: false },
          border: { color: colourOf('--edge') },
          ticks: { ...ticks, callback: (index) => below[Number(index)] ?? '' },
          afterBuildTicks: (axis) => {
            axis.ticks = axis.ticks.filter(({ value }) => below[value] !== null);
          },
        },
        y: {
          stacked: true,
          beginAtZero: true,
          suggestedMax: 4,
          border: { display: false },
          grid: { color: colourOf('--line') },
          ticks: {
            ...ticks,
            precision: 0,
            maxTicksLimit: 6,
            callback: (value) => writeNumber(Number(value)),
          },
        },
      },
    },
  };
}

function configureRing(
  { parts }: Extract<Drawing, { kind: 'ring' }>,
  writeNumber: FormatNumber,
  colourOf: ColourOf,
): ChartConfiguration<'doughnut'> {
  const colours = parts.map(({ colour }) => colourOf(colour));
  return {
    type: 'doughnut',
    data: {
      labels: parts.map(({ label }) => label),
      datasets: [
        {
          data: parts.map(({ value }) => value),
          backgroundColor: colours,
          hoverBackgroundColor: colours,
          borderColor: colourOf('--card'),
          hoverBorderColor: colourOf('--card'),
          borderWidth: 2,
        },
      ],
    },
    options: { ...commonOptions(writeNumber, colourOf), cutout: '68%' },
  };
}

function commonOptions(writeNumber: FormatNumber, colourOf: ColourOf) {
  return {
    // What is refreshed while somebody reads it must not move.
    animation: false as const,
    maintainAspectRatio: false,
    plugins: {
      tooltip: {
        backgroundColor: colourOf('--ink'),
        titleColor: colourOf('--card'),
        bodyColor: colourOf('--card'),
        multiKeyBackground: colourOf('--card'),
        titleFont: { ...fontOf(), weight: 'bold' as const },
        bodyFont: fontOf(),
        padding: 10,
        cornerRadius: 8,
        boxPadding: 4,
        callbacks: {
          label: ({
            label,
            dataset,
            raw,
          }: {
            label: string;
            dataset: { label?: string | undefined };
            raw: unknown;
          }) => ` ${dataset.label ?? label}: ${writeNumber(Number(raw))}`,
        },
      },
    },
  };
}

function fontOf(size = 13): { family: string; size: number } {
  return { family: getComputedStyle(document.body).fontFamily, size };
}

/** The colour that a token has now, in a form that a canvas takes. */
type ColourOf = (token: string) => string;

/** A token may name another or one of the system's colours: only what has it as its own colour can tell. */
function readColours(): ColourOf {
  const found = new Map<string, string>();
  return (token) => {
    const known = found.get(token);
    if (known !== undefined) return known;
    const probe = document.createElement('span');
    probe.style.setProperty('forced-color-adjust', 'none');
    probe.style.color = `var(${token})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    found.set(token, color);
    return color;
  };
}

const PICTURE = { width: 1200, height: 640, margin: 40, legendWidth: 340 };

/** The chart as a picture of one size, whatever the window: with its title, what it is of, and what its colours mean. */
export function renderPng(
  drawing: Drawing,
  texts: { title: string; subtitle: string },
  writeNumber: FormatNumber,
): HTMLCanvasElement {
  const { width, height, margin, legendWidth } = PICTURE;
  const colourOf = readColours();
  const picture = document.createElement('canvas');
  picture.width = width;
  picture.height = height;
  const pen = picture.getContext('2d');
  if (!pen) throw new Error('This browser does not draw');
  pen.fillStyle = colourOf('--card');
  pen.fillRect(0, 0, width, height);
  const write = (
    text: string,
    x: number,
    y: number,
    font: { size: number; weight?: string; token: string },
  ) => {
    pen.fillStyle = colourOf(font.token);
    pen.font = `${font.weight ?? 'normal'} ${font.size}px ${fontOf().family}`;
    pen.fillText(text, x, y);
  };
  write(texts.title, margin, 62, { size: 28, weight: '600', token: '--ink' });
  write(texts.subtitle, margin, 94, { size: 18, token: '--soft' });

  const legend = legendOf(drawing);
  const isBeside = drawing.kind === 'ring';
  const chartWidth = width - 2 * margin - (isBeside ? legendWidth : 0);
  const top = isBeside ? 130 : 170;
  pen.drawImage(renderOffscreen(drawing, writeNumber, chartWidth, height - top - margin), margin, top);
  let [x, y] = isBeside ? [width - margin - legendWidth + 20, 180] : [margin, 140];
  for (const { label, colour, value } of legend) {
    pen.fillStyle = colourOf(colour);
    pen.fillRect(x, y - 14, 16, 16);
    const text = `${label}: ${writeNumber(value)}`;
    write(text, x + 26, y, { size: 18, token: '--ink' });
    if (isBeside) y += 40;
    else x += 26 + pen.measureText(text).width + 36;
  }
  return picture;
}

function renderOffscreen(
  drawing: Drawing,
  writeNumber: FormatNumber,
  width: number,
  height: number,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const configuration = configure(drawing, writeNumber);
  const options = { ...configuration.options, responsive: false, devicePixelRatio: 1 };
  const chart = new Chart(canvas, { ...configuration, options });
  const copy = document.createElement('canvas');
  copy.width = width;
  copy.height = height;
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  chart.destroy();
  return copy;
}
