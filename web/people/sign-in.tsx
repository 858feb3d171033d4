import { useEffect } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { mount } from '../shell/page.tsx';
import { isOffered, PAGES } from '../shell/pages.ts';
import { useSession } from '../shell/session.tsx';

/** The page after the sign-in, which leads a user who is signed in to another page. */
function SignedInPage() {
  const { t } = useI18n();
  const session = useSession();
  const isSignedIn = session.caller !== null;
  const destination = serviceUrl(findDestination(session)).href;
  useEffect(() => {
    if (isSignedIn) location.replace(destination);
  }, [isSignedIn]);
  if (isSignedIn) return null;
  return (
    <section class="card column card-wide sign-in">
      <h1>{t('signIn')}</h1>
      <p>{t('signIn.notNeeded')}</p>
      <p>
        <a href={destination}>{t('signIn.continue')}</a>
      </p>
    </section>
  );
}

/** Returns the page that `?to=` names, else the first that the user can use. Only names: a URL could lead elsewhere. */
function findDestination(session: ReturnType<typeof useSession>): string {
  const offered = PAGES.filter((page) => isOffered(page, session));
  const wanted = new URLSearchParams(location.search).get('to');
  if (wanted === 'docs' && session.serves('docs')) return wanted;
  return (offered.find(({ name }) => name === wanted) ?? offered[0])?.path ?? 'account';
}

/** A link that sets a password has its secret here, because browsers send no fragment. */
const SETUP = /^#(setup_[\w-]+)$/;
const [, token] = SETUP.exec(location.hash) ?? [];
// The address of this page with a secret changes only the fragment, and loads nothing.
addEventListener('hashchange', () => SETUP.test(location.hash) && location.reload());

if (token === undefined && !/\/account$/.test(location.pathname)) mount('sign-in', SignedInPage);
else
  void import('./account.tsx').then(({ AccountPage, SetPasswordPage }) => {
    if (token === undefined) mount('sign-in', AccountPage);
    else mount('sign-in', () => <SetPasswordPage token={token} />, { signInFirst: false });
  });
