import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, onSendHookHandler } from 'fastify';
import type { Brand } from '../brand.ts';
import { readIfPresent, sendWholeFiles } from '../built-pages.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { isKnownByTag, weakTagOf } from '../entity-tags.ts';
import { html, renderPage, sendPage } from '../pages/page.ts';
import { PAGE_PORTS, type RouteAccess } from '../route-access.ts';

/** The pages by their path. No short code can collide with them, wherever `app.short-path` has links. */
const PAGES: Record<string, string> = {
  '/': 'index.html',
  '/dashboard': 'dashboard.html',
  '/sign-in': 'sign-in.html',
  '/account': 'sign-in.html',
  '/people': 'people.html',
  '/links': 'links.html',
  '/links/:shortCode': 'link/link.html',
  '/verify': 'verify.html',
  '/docs': 'docs.html',
};

/** The assets that a page loads. Their compressed copies are not served under their own names. */
const ASSET_NAME = /^[\w-]+\.(?:js|css|svg)$/;

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

/** The policy of a page that starts workers. */
const WORKING = POLICY.replace("trusted-types 'none'", 'trusted-types worker');

/** The page that checks a history sends no request at all. Only the one that creates links can be installed. */
const POLICIES = new Map([
  ['/verify', WORKING.replace("connect-src 'self'", "connect-src 'none'")],
  ['/', `${WORKING}; manifest-src 'self'`],
]);

/** The scripts of workers, which have a policy of their own: they work on what they get, and send no request. */
const WORKER_NAME = /^[\w-]+-worker-[\w-]+\.js$/;

const PORTS = new Map<string, RouteAccess['port']>([
  ['/', PAGE_PORTS.create],
  ['/dashboard', PAGE_PORTS.dashboard],
  ['/links', PAGE_PORTS.links],
  ['/links/:shortCode', PAGE_PORTS.link],
  ['/docs', PAGE_PORTS.docs],
]);

/** The link to the home page on a page without a script, which would write it, and what `app.management.port` has instead. */
const HOME = 'class="brand" href="./"';
const HOME_OF_MANAGEMENT = 'class="brand" href="dashboard"';

/** Returns the configuration of a page, which contains no data: the page signs in to get it. */
function configOf(path: string): { access: RouteAccess } {
  return { access: { needs: 'nothing', port: PORTS.get(path) ?? 'both' } };
}

/** GET /, /dashboard, /sign-in, /account, /people, /links, /links/{shortCode}, /verify and /docs, and their assets */
export function webPageRoutes(
  app: FastifyInstance,
  { pagesDirectory, brand, config: { server } }: HttpDependencies,
): void {
  if (pagesDirectory === undefined) {
    for (const path of Object.keys(PAGES))
      app.get(path, { schema: { hide: true }, config: configOf(path) }, (_, reply) =>
        sendNotBuilt(reply, brand),
      );
    return;
  }
  sendWholeFiles(app);
  app.register(fastifyStatic, {
    root: pagesDirectory,
    serve: false,
    preCompressed: true,
    acceptRanges: false,
    lastModified: false,
  });
  for (const [path, name] of Object.entries(PAGES)) {
    const built = readIfPresent(join(pagesDirectory, name)) ?? '';
    const branded = brand.isCustom ? applyBrand(built, path, brand) : built;
    const page = server.managementPort === null ? branded : branded.replace(HOME, HOME_OF_MANAGEMENT);
    const tag = weakTagOf(page); // of its own text: only the names of assets differ, and packagers set all times to one
    app.get(path, { schema: { hide: true }, config: configOf(path) }, (request, reply) => {
      reply.headers({
        'content-security-policy': POLICIES.get(path) ?? POLICY,
        'referrer-policy': 'no-referrer',
        // The browser revalidates each time, and gets a 304 if nothing has changed.
        'cache-control': 'no-cache',
      });
      if (isKnownByTag(request, reply, tag)) return reply.send();
      if (page !== built) return reply.type('text/html; charset=utf-8').send(page);
      return reply.sendFile(name, { cacheControl: false, etag: false });
    });
  }
  const config = { access: { needs: 'nothing', port: 'both' } } as const;
  const asset = { schema: { hide: true }, config, onSend: setScriptType };
  app.get<{ Params: { name: string } }>('/assets/:name', asset, (request, reply) => {
    const { name } = request.params;
    if (!ASSET_NAME.test(name)) return reply.callNotFound();
    if (WORKER_NAME.test(name)) reply.header('content-security-policy', "default-src 'none'");
    // The name contains a digest of the content, so the content never changes.
    return reply.sendFile(`assets/${name}`, { maxAge: '1y', immutable: true });
  });
}

/** GET of the manifest with which a browser installs the page that creates links: other apps then share to it. */
export function manifestRoute(app: FastifyInstance, { pagesDirectory, brand }: HttpDependencies): void {
  if (pagesDirectory === undefined) return;
  const page = readIfPresent(join(pagesDirectory, 'index.html')) ?? '';
  const [, icon = ''] = /href="\.\/(assets\/icon-[^"]+)"/.exec(page) ?? [];
  const { path, mediaType } = brand.logo ?? { path: icon, mediaType: 'image/svg+xml' };
  const manifest = JSON.stringify({
    name: brand.name,
    ...{ id: './', start_url: './', scope: './', display: 'minimal-ui' },
    icons: [{ src: path, type: mediaType, sizes: 'any' }],
    // The parameters that web/create/parameters.ts reads.
    share_target: {
      ...{ action: './', method: 'GET', enctype: 'application/x-www-form-urlencoded' },
      params: { title: 'label', text: 'text', url: 'url' },
    },
  });
  app.get('/manifest.webmanifest', { schema: { hide: true }, config: configOf('/') }, (_, reply) =>
    reply
      .headers({ 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' })
      .send(manifest),
  );
}

/** Puts the brand into a built page: its name, its style sheet, and the logo for the script that renders the page. */
export function applyBrand(page: string, path: string, { name, logo, style }: Brand): string {
  const toRoot = '../'.repeat(path.split('/').length - 2) || './';
  const more = [
    ...(style ? [html`<link rel="stylesheet" href="${toRoot}${style.path}">`] : []),
    ...(logo ? [html`<meta name="brand-logo" content="${logo.path}">`] : []),
  ];
  const escaped = html`${name}`.markup;
  // Of a page without a script, which would show it.
  const mark = logo ? html`<img class="logo" src="${toRoot}${logo.path}" alt="">${name}`.markup : escaped;
  return markHome(page, mark)
    .replace(
      /(<title>|<h1>|name="application-name" content=")Postern/g,
      (_, start: string) => start + escaped,
    )
    .replace('</head>', () => `${html`${more}`.markup}</head>`);
}

/** Puts the brand into the link to the home page, where a page has that without a script. */
function markHome(page: string, mark: string): string {
  const link = page.indexOf('<a class="brand"');
  if (link === -1) return page;
  const start = page.indexOf('>', link) + 1;
  return page.slice(0, start) + mark + page.slice(page.indexOf('</a>', start));
}

/** Replaces the obsolete type that the library has for scripts (RFC 9239). */
const setScriptType: onSendHookHandler = (_, reply, payload, done) => {
  const type = String(reply.getHeader('content-type'));
  if (type.startsWith('application/javascript')) reply.type('text/javascript; charset=utf-8');
  done(null, payload);
};

/** Explains how to build the pages. The API works without them. */
function sendNotBuilt(reply: FastifyReply, brand: Brand): FastifyReply {
  const page = renderPage({
    language: 'en',
    brand,
    title: 'Postern',
    tone: 'error',
    main: html`<h1>The pages are not built</h1>
<p>The service itself runs. Run <code>npm run build</code> and restart it to get the pages.</p>
<p><a href="openapi.json">OpenAPI document</a></p>`,
  });
  return sendPage(reply.code(503), page);
}

/** An SVG that is opened as a page of its own runs no script and loads nothing. */
const BRAND_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** GET of the logo and of the style sheet of the brand, where the administrator has set them */
export function brandFileRoutes(app: FastifyInstance, { brand }: HttpDependencies): void {
  for (const file of [brand.logo, brand.style]) {
    if (file === null) continue;
    const config = { access: { needs: 'nothing', port: 'both' } } as const;
    app.get(`/${file.path}`, { schema: { hide: true }, config }, (_, reply) =>
      reply
        .headers({
          'content-type': file.mediaType,
          'content-security-policy': BRAND_POLICY,
          // The path contains a digest of the content, so the content never changes.
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(file.bytes),
    );
  }
}
