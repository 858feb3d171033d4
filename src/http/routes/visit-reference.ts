import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { FileRequest } from '../file-request-schemas.ts';
import {
  Count,
  DateTime,
  errorsOrPages,
  LinkType,
  nullable,
  optionalFlag,
  optionalText,
  ShortCodeParams,
  titled,
  Url,
} from '../schemas.ts';

const ResolveHeaders = Type.Object({
  'X-Link-Password': optionalText('For protected links'),
  Accept: optionalText('`application/json` returns the target as JSON instead of a redirect'),
  'X-Correlation-Id': optionalText('Returned and logged with the request; generated if missing'),
});

const RedirectResolution = titled('Resolution', { type: Type.Literal('REDIRECT'), targetUrl: Url });

const OpenRequest = titled('OpenRequest', {
  type: Type.Literal('REQUEST'),
  request: FileRequest,
  expiresAt: nullable(DateTime),
  submissionsLeft: nullable(Count),
});

const DryRun = titled('DryRun', {
  type: LinkType,
  sha256: optionalText('Of a file that is not shown as a text'),
  encrypted: Type.Optional(Type.Boolean({ description: 'Of a file' })),
});

export const VisitForm = titled('VisitForm', {
  password: optionalText('For protected links'),
  recipientAddress: optionalText(
    'Of a link with `verifiedRecipients`: a code is mailed to this address if the link names it. The response has the cookie with ' +
      'which the code is sent back',
  ),
  recipientCode: optionalText('The code that was mailed to `recipientAddress`'),
  ask: optionalFlag(
    'Dry run: returns the `type`, and of a file `sha256` and `encrypted`, if the link would open; to a client that accepts `text/html` ' +
      'the confirmation page of a link that has one, and of a file. A refusal is audited as usual',
  ),
  list: optionalFlag(
    'Leads a browser to the page that lists the files, instead of to the one file of a link',
  ),
});

const Page = { schema: Type.String() };
const openedAs = (record: TSchema) => ({
  description:
    'The target as JSON, the text, also on a page, the file, what a file request asks for, or the confirmation page',
  headers: { 'Repr-Digest': { type: 'string', description: 'The SHA-256 of the file (RFC 9530)' } },
  content: {
    'text/html': Page,
    'application/json': { schema: record },
    'text/plain': { schema: Type.String() },
    'application/octet-stream': { schema: Type.String({ format: 'binary' }) },
  },
});

const OPEN_SCHEMA = {
  tags: ['Links'],
  summary: 'Open a link',
  description:
    'Records the attempt durably before it responds, unless a limit refuses it. HEAD and a GET with ' +
    '`Sec-Purpose`, `Purpose` or `X-Moz: prefetch`, or `X-Purpose: preview`, return the status without spending a view. So does a GET of a link with ' +
    '`confirm`, `senderName` or `message`, of a text, or by a browser of an encrypted file: it returns a confirmation page unless ' +
    'the request accepts JSON or sends a password. A text without these terms is also sent to a program of a command line, and ' +
    'to one that accepts `text/plain` alone. A GET of a file request returns what it asks for. A link with ' +
    '`forwardPath` also opens with a path after the short code.',
  params: ShortCodeParams,
  headers: ResolveHeaders,
  response: {
    200: openedAs(Type.Union([RedirectResolution, OpenRequest])),
    206: {
      description: 'A part of the file: with `Range`, of a download that is continued',
      content: { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } },
    },
    302: { description: 'The target or the `fallbackUrl` is in the header Location', type: 'null' },
    303: {
      description:
        'For a browser, the page of several files, or of one that it shows, is in the header Location',
      type: 'null',
    },
    ...errorsOrPages(401, 403, 404, 410, 412, 416, 428, 429, 500, 503),
  },
};

const OPEN_FROM_FORM_SCHEMA = {
  tags: ['Links'],
  summary: 'Open a link from a form',
  description:
    'The request that the visitor pages send: the same checks as for GET, with the password in a form. ' +
    'A form from a page of another origin is refused.',
  consumes: ['application/x-www-form-urlencoded'],
  params: ShortCodeParams,
  body: VisitForm,
  response: {
    200: openedAs(Type.Union([RedirectResolution, OpenRequest, DryRun])),
    303: { description: 'Where to go on is in the header Location', type: 'null' },
    ...errorsOrPages(400, 401, 403, 404, 410, 413, 415, 429, 500, 503),
  },
};

/**
 * Declares GET, HEAD and POST of /l/{shortCode} for OpenAPI and for the 405 of other methods. These requests
 * never reach the framework: src/http/visit.ts handles them.
 */
export function resolveLinkRoute(app: FastifyInstance): void {
  const handler = (_: FastifyRequest, reply: FastifyReply) => reply.callNotFound();
  const config = { access: { needs: 'nothing', port: 'public', anyHost: true } } as const;
  app.route({ method: ['GET', 'HEAD'], url: '/l/*', config, schema: OPEN_SCHEMA, handler });
  app.route({ method: 'POST', url: '/l/*', config, schema: OPEN_FROM_FORM_SCHEMA, handler });
}
