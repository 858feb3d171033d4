import type { FastifyInstance } from 'fastify';
import type { Parts } from '../../app.ts';
import { html, renderPage } from '../pages/page.ts';

/** GET / */
export function frontPageRoute(app: FastifyInstance, { baseUrl }: Parts): void {
  const page = renderPage({
    language: 'en',
    title: 'Postern',
    look: 'open',
    main: html`<h1>Postern</h1>
<p>Links to a URL or a file, that expire, count their views exactly, ask for a password, and keep a record of every attempt to open them.</p>
<pre tabindex="0">curl -H 'Content-Type: application/json' \\
  -d '{"targetUrl":"https://example.com","maxViews":3}' \\
  ${baseUrl}/api/links

curl -F file=@report.pdf -F maxViews=1 \\
  ${baseUrl}/api/links/upload</pre>
<ul>
<li><a href="docs">Reference of the interface</a> (<a href="openapi.json">OpenAPI</a>)</li>
<li><a href="api/stats/access/summary">Statistics</a></li>
<li><a href="actuator/health">Health</a></li>
<li><a href="actuator/prometheus">Metrics</a></li>
</ul>`,
  });
  app.get('/', { schema: { hide: true } }, (_, reply) => {
    for (let index = 0; index < page.headers.length; index += 2) {
      reply.header(page.headers[index] ?? '', page.headers[index + 1]);
    }
    return reply.send(page.body);
  });
}
