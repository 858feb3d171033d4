import { type ComponentChildren, type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { I18nProvider, useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { HeaderMenu } from './header-menu.tsx';
import { BrandMark } from './icon.tsx';
import { LazySignIn } from './lazy-sign-in.tsx';
import { OpenNotice } from './open-notice.tsx';
import { isOffered, PAGES } from './pages.ts';
import { PaletteKeys } from './palette-keys.tsx';
import { SessionProvider, useSession } from './session.tsx';
import { SiteFooter } from './site-footer.tsx';
import { useDocumentTitle } from './use-document-title.ts';

/** The pages of everyday work, which say so where anyone can do it. */
const NOTICED: ReadonlySet<string> = new Set(['create', 'dashboard']);
type PageName = (typeof PAGES)[number]['name'] | 'link' | 'sign-in';

/** Renders a page into its document. A page without `signInFirst` asks itself for what it needs. */
export function mount(name: PageName, App: ComponentType, { signInFirst = true } = {}): void {
  const root = document.getElementById('app');
  if (!root) throw new Error('The document has no #app element');
  render(
    // Language and session load at the same time.
    <SessionProvider signInFirst={signInFirst}>
      <I18nProvider>
        <Page name={name}>
          <App />
        </Page>
      </I18nProvider>
    </SessionProvider>,
    root,
  );
}

/**
 * The frame of a page: navigation, language, sign-in, and the footer. When the
 * sign-in has ended, what the user entered stays in the hidden page.
 */
function Page({ name, children }: { name: PageName; children: ComponentChildren }) {
  const { t } = useI18n();
  const { state, isReady, caller, serves } = useSession();
  const described = PAGES.find((page) => page.name === name);
  // The first page has the name of the service alone.
  useDocumentTitle(isReady && described && name !== 'create' ? t(described.label) : undefined);
  const main = useRef<HTMLElement>(null);
  const isStarted = useRef(false);
  const wasSignedOut = useRef(false);
  useEffect(() => {
    // The form with the focus is gone, on any page that has one.
    if (isReady && caller && wasSignedOut.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    wasSignedOut.current = !caller && state !== 'LOADING';
  }, [state, caller?.name]);
  if (state === 'LOADING') return null;
  isStarted.current = isReady || (isStarted.current && state === 'ENDED');
  return (
    <>
      <a class="skip-link" href="#main">
        {t('nav.skip')}
      </a>
      <Header name={name} />
      {isReady && <PaletteKeys />}
      {!isReady && (
        <main id="main" class="page page-sign-in" tabIndex={-1}>
          <LazySignIn hasEnded={state === 'ENDED'} {...(described?.scope && { scope: described.scope })} />
        </main>
      )}
      {isStarted.current && (
        <main
          ref={main}
          id={isReady ? 'main' : undefined}
          class={`page page-${name}`}
          tabIndex={-1}
          hidden={!isReady}
        >
          {NOTICED.has(name) && <OpenNotice />}
          {children}
        </main>
      )}
      <SiteFooter hasReference={isReady && serves('docs')} />
    </>
  );
}

function Header({ name }: { name: PageName }) {
  const { t } = useI18n();
  const session = useSession();
  const { isReady, serves } = session;
  const offered = PAGES.filter((page) => isOffered(page, session));
  return (
    <header class="row site-header">
      <a class="brand" href={serviceUrl(offered[0]?.path ?? (serves('create') ? '' : 'dashboard')).href}>
        <BrandMark />
      </a>
      {offered.length > 0 && (
        <nav class="row site-nav" aria-label={t('nav.pages')}>
          {offered.map((page) => (
            <a
              key={page.name}
              href={serviceUrl(page.path).href}
              aria-current={page.name === name && isReady ? 'page' : undefined}
            >
              {t(page.label)}
            </a>
          ))}
        </nav>
      )}
      <HeaderMenu />
    </header>
  );
}
