import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html, renderPage } from '../pages/page.ts';
import type { Parts } from '../parts.ts';
import { chooseEncoding, type WebFile } from '../web-files.ts';

/** The pages by their path. Short codes are below /l/ and meet none of them. */
const PAGES: Record<string, string> = { '/': 'index.html', '/dashboard': 'dashboard.html' };

const YEAR_SECONDS = 31_536_000;

/** Only files of this service, nothing inline, no text that becomes code, no frame around it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** GET / and /dashboard, and what they are made of */
export function webPageRoutes(app: FastifyInstance, { webFiles }: Parts): void {
  for (const [path, name] of Object.entries(PAGES)) {
    const page = webFiles.get(name);
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      page ? sendPage(page, request, reply) : sendNotBuilt(reply),
    );
  }
  app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
    const file = webFiles.get(`assets/${request.params.name}`);
    if (!file) return reply.callNotFound();
    // Its name holds a digest of its content: what is once loaded never changes.
    reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
    return sendFile(file, request, reply);
  });
}

function sendPage(page: WebFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    // Asked for again each time, and answered with 304 where it is the same.
    'cache-control': 'no-cache',
    etag: page.etag,
  });
  const known = request.headers['if-none-match']?.split(',').map((etag) => etag.trim());
  if (known?.some((etag) => etag === page.etag || etag === '*')) return reply.code(304).send();
  return sendFile(page, request, reply);
}

function sendFile(file: WebFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { encoding, bytes } = chooseEncoding(file, request.headers['accept-encoding']);
  reply.header('content-type', file.contentType).header('vary', 'accept-encoding');
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

/** The interface works without pages; whoever looks for them is told how to get them. */
function sendNotBuilt(reply: FastifyReply): FastifyReply {
  const { headers, body } = renderPage({
    language: 'en',
    title: 'Postern',
    look: 'fault',
    main: html`<h1>The pages are not built</h1>
<p>The service itself runs. <code>npm run build</code> builds its pages, and the next start serves them.</p>
<p><a href="docs">Reference of the interface</a></p>`,
  });
  for (let index = 0; index < headers.length; index += 2) {
    reply.header(headers[index] ?? '', headers[index + 1]);
  }
  return reply.code(503).send(body);
}
