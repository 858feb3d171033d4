import { useEffect } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';

/** The pages to which `?to=` leads after the sign-in, else the first that exists. Only names: a URL could lead elsewhere. */
const DESTINATIONS = [
  { name: 'create', path: '' },
  { name: 'links', path: 'links' },
  { name: 'dashboard', path: 'dashboard' },
  { name: 'docs', path: 'docs' },
] as const;

/** The page after the sign-in, which leads a user who is signed in to another page. */
function SignedInPage() {
  const { t } = useI18n();
  const { caller, serves } = useSession();
  const isSignedIn = caller !== null;
  const mayNothing = caller?.hasSession === true && caller.scopes.length === 0;
  const to = new URLSearchParams(location.search).get('to');
  const served = DESTINATIONS.filter(({ name }) => serves(name));
  const found = served.find(({ name }) => name === to) ?? served[0];
  const destination = serviceUrl(mayNothing ? 'account' : (found?.path ?? '')).href;
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
