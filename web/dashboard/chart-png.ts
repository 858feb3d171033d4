import { type ChartModel, legendOf } from './chart-model.ts';
import { createCanvas, type FormatNumber, pageFont, readColours, renderOffscreen } from './chart-renderer.ts';

const SIZE = { width: 1200, height: 640 };
const MARGIN = 40;
const LEGEND_WIDTH = 340;

/** Renders a chart with its title, subtitle and legend in one fixed size. */
export function renderPng(
  model: ChartModel,
  texts: { title: string; subtitle: string },
  formatNumber: FormatNumber,
): HTMLCanvasElement {
  const picture = createCanvas(SIZE);
  const context = picture.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas');
  const colourOf = readColours();
  const renderText = (text: string, x: number, y: number, font: string, colour = '--ink'): void => {
    context.fillStyle = colourOf(colour);
    context.font = `${font} ${pageFont()}`;
    context.fillText(text, x, y);
  };
  context.fillStyle = colourOf('--card');
  context.fillRect(0, 0, SIZE.width, SIZE.height);
  renderText(texts.title, MARGIN, 62, '600 28px');
  renderText(texts.subtitle, MARGIN, 94, '18px', '--soft');

  const isRing = model.kind === 'ring';
  const top = isRing ? 130 : 170;
  const width = SIZE.width - 2 * MARGIN - (isRing ? LEGEND_WIDTH : 0);
  const chart = renderOffscreen(model, formatNumber, { width, height: SIZE.height - top - MARGIN });
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
