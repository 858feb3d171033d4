import type { FastifyInstance } from 'fastify';
import { type Bitmap2D, correction, generate } from 'lean-qr';
import { toPngBuffer } from 'lean-qr/extras/node_export';
import { toSvgSource } from 'lean-qr/extras/svg';
import { Type } from 'typebox';
import { accept, type Parsed, refuse } from '../../core/model/parsed.ts';
import { toInteger } from '../../core/rules/read-fields.ts';
import { refuseParameter } from '../../core/rules/time-range.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import { errorResponses, ShortCodeParams } from '../schemas.ts';

/** The margin in modules that scanners need. */
const QUIET_ZONE = 4;
const DEFAULT_PIXELS = 512;
const PIXELS = { min: 128, max: 2048 };

const FORMATS = {
  svg: { type: 'image/svg+xml', draw: drawSvg },
  png: { type: 'image/png', draw: drawPng },
} as const;
type Format = keyof typeof FORMATS;

const SCHEMA = {
  tags: ['Links'],
  summary: 'Draw the QR code of a link',
  description:
    'The code has the short link alone, never its target. Spends no view and writes no audit record. Needs what ' +
    'describing the link needs.',
  params: ShortCodeParams,
  querystring: Type.Object({
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
  }),
  response: {
    200: {
      description: 'The image',
      content: {
        'image/svg+xml': { schema: Type.String() },
        'image/png': { schema: Type.String({ format: 'binary' }) },
      },
    },
    ...errorResponses(400, 401, 403, 404, 429, 500, 503),
  },
};

/** GET /api/links/{shortCode}/qr */
export function qrCodeRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  const { readLink, addresses } = deps;
  app.get<{ Params: { shortCode: string }; Querystring: Record<string, unknown> }>(
    '/api/links/:shortCode/qr',
    {
      schema: SCHEMA,
      config: { access: { needs: 'read', ofLink: true, port: 'public' } },
      onRequest: refuseBlocked,
    },
    async (request, reply) => {
      const { type, draw } = FORMATS[requireValid(parseFormat(request.query['format']))];
      const pixels = requireValid(parseSize(request.query['size']));
      const link = await readLink(request.params.shortCode);
      if (!link) return countUnknown(request);
      const code = generate(addresses.urlOf(link), {
        minCorrectionLevel: correction.M,
      });
      return reply
        .header('content-type', type)
        .header('cache-control', 'private, no-cache') // a signed-out browser asks again, and gets 401
        .send(draw(code, pixels));
    },
  );
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
