import { formatDateTime } from '../../common/format.ts';
import { SEARCH, SHIELD, WARNING } from '../../common/icons.ts';
import type { SignedTree } from '../../core/ports/evidence.ts';
import type { Component, HealthStatus } from '../../observability/health.ts';
import { type Html, html, NOTHING, type Page } from './page.ts';
import type { Visitor } from './visitor.ts';
import { contactLink, heading, render } from './visitor-pages.ts';

// Pages of paths that programs use, for a browser that opens them.

type ShownHealth = {
  status: HealthStatus;
  components?: Partial<Record<Component, { status: HealthStatus }>>;
};

/** Returns the page of an unknown path. @param home leads to the first page, where this port has one */
export function unknownPathPage(visitor: Visitor, home: string | null): Page {
  const { t } = visitor;
  const title = t('unknownPath.title');
  const link =
    home === null ? NOTHING : html`<p><a class="button button-main" href="${home}">${t('home')}</a></p>`;
  const main = html`${heading(SEARCH, title)}<p>${t('unknownPath.text')}</p>${contactLink(visitor)}${link}`;
  return render(visitor, { title, tone: 'ended', main });
}

/** Returns the page of the health of the service, with its components where the client may see them. */
export function healthPage(visitor: Visitor, { status, components = {} }: ShownHealth): Page {
  const { t } = visitor;
  const isUp = status === 'UP';
  const rows = Object.entries(components).map(
    ([name, component]): Html =>
      component === undefined || !isComponent(name)
        ? NOTHING
        : row(t(`health.component.${name}`), t(`health.${component.status}`), component.status),
  );
  const list = rows.length === 0 ? NOTHING : html`<dl>${rows}</dl>`;
  const title = t(`health.title.${status}`);
  const main = html`${heading(isUp ? SHIELD : WARNING, title)}<p>${t('health.text')}</p>${list}`;
  return render(visitor, { title, tone: isUp ? 'open' : 'error', main });
}

/** Returns the page of the newest checkpoint, with the key of the log. */
export function checkpointPage(visitor: Visitor, { note, key, size, at }: SignedTree): Page {
  const { t, language } = visitor;
  const title = t('checkpoint.title');
  const time = formatDateTime(new Date(at), language);
  const main = html`${heading(SHIELD, title)}<p>${t('checkpoint.text', { count: size, time })}</p>
<pre class="box" tabindex="0" aria-label="${title}">${note}</pre><h2>${t('checkpoint.key')}</h2>
<pre class="box" tabindex="0" aria-label="${t('checkpoint.key')}">${key}</pre><p>${t('checkpoint.keep')}</p>`;
  return render(visitor, { title, tone: 'open', main });
}

function row(name: string, text: string, status: HealthStatus): Html {
  return html`<div><dt>${name}</dt><dd class="${status === 'UP' ? 'up' : 'down'}">${text}</dd></div>`;
}

function isComponent(name: string): name is Component {
  return name === 'database' || name === 'storage' || name === 'scheduler';
}

/** Returns a relative URL of the root of the service, which may lie under any base path. */
export function homeOf(path: string): string {
  return '../'.repeat(Math.max(0, path.split('/').length - 2)) || './';
}
