import { type Bitmap2D, correction, generate } from 'lean-qr';
import { toPngBuffer } from 'lean-qr/extras/node_export';
import { toSvgSource } from 'lean-qr/extras/svg';
import { Type } from 'typebox';
import { accept, type Parsed, refuse } from '../../core/model/parsed.ts';
import { readFields, toInteger } from '../../core/rules/read-fields.ts';
import { refuseParameter } from '../../core/rules/time-range.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, rawEndpoint } from '../endpoint.ts';
import { limitUnknownCodes } from '../limit-requests.ts';

/** The margin in modules that scanners need. */
const QUIET_ZONE = 4;
const DEFAULT_PIXELS = 512;
const PIXELS = { min: 128, max: 2048 };

const FORMATS = {
  svg: { type: 'image/svg+xml', draw: drawSvg },
  png: { type: 'image/png', draw: drawPng },
} as const;
type Format = keyof typeof FORMATS;

const Query = Type.Object({
  format: Type.Optional(Type.Enum(['svg', 'png'], { default: 'svg' })),
  size: Type.Optional(
    Type.Integer({
      minimum: PIXELS.min,
      maximum: PIXELS.max,
      default: DEFAULT_PIXELS,
      description:
        'The width and height in pixels. A PNG has whole pixels for each module: it may be smaller',
    }),
  ),
});
const RULES = { format: parseFormat, size: parseSize };
const IMAGE = {
  description: 'The image',
  content: {
    'image/svg+xml': { schema: Type.String() },
    'image/png': { schema: Type.String({ format: 'binary' }) },
  },
};

/** The endpoint of the QR code of a link. */
export function qrCodeEndpoints(deps: HttpDependencies): Endpoint[] {
  const { findLink } = limitUnknownCodes(deps);
  return [
    rawEndpoint('GET /api/links/:shortCode/qr', 'Draw the QR code of a link', {
      ...{ tag: 'Links', needs: 'read', ofLink: true, port: 'public' },
      description:
        'The code has the short link alone, never its target. Spends no view and writes no audit record.',
      query: { schema: Query, read: (sent) => readFields(RULES, sent, undefined) },
      sends: { 200: IMAGE },
      async respond({ path, query: { format, size }, request, reply }) {
        const link = await findLink(path.shortCode, request);
        const code = generate(deps.addresses.urlOf(link), { minCorrectionLevel: correction.M });
        const { type, draw } = FORMATS[format];
        return reply
          .header('content-type', type)
          .header('cache-control', 'private, no-cache') // a signed-out browser asks again, and gets 401
          .send(draw(code, size));
      },
    }),
  ];
}

function drawSvg(code: Bitmap2D, pixels: number): string {
  return toSvgSource(code, { on: '#000', off: '#fff', pad: QUIET_ZONE, width: pixels, height: pixels });
}

function drawPng(code: Bitmap2D, pixels: number): Buffer {
  const scale = Math.max(1, Math.floor(pixels / (code.size + 2 * QUIET_ZONE)));
  return Buffer.from(toPngBuffer(code, { off: [255, 255, 255], pad: QUIET_ZONE, scale }));
}

function parseFormat(value: unknown): Parsed<Format> {
  if (value === undefined) return accept('svg');
  return value === 'svg' || value === 'png'
    ? accept(value)
    : refuseParameter('format', value, 'INVALID_FORMAT', 'must be svg or png');
}

function parseSize(value: unknown): Parsed<number> {
  if (value === undefined) return accept(DEFAULT_PIXELS);
  const pixels = typeof value === 'string' ? toInteger(value) : undefined;
  if (typeof pixels !== 'number')
    return refuseParameter('size', value, 'NOT_AN_INTEGER', 'must be an integer');
  const { min, max } = PIXELS;
  if (pixels >= min && pixels <= max) return accept(pixels);
  return refuse('size', 'LIMIT_OUT_OF_RANGE', `must be between ${min} and ${max}`);
}
