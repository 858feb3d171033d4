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
  const to = new URLSearchParams(location.search).get('to');
  const served = DESTINATIONS.filter(({ name }) => serves(name));
  const destination = serviceUrl((served.find(({ name }) => name === to) ?? served[0])?.path ?? '').href;
  useEffect(() => {
    if (isSignedIn) location.replace(destination);
  }, [isSignedIn]);
  if (isSignedIn) return null;
  return (
    <section class="card sign-in">
      <h1>{t('signIn')}</h1>
      <p>{t('signIn.notNeeded')}</p>
      <p>
        <a href={destination}>{t('signIn.continue')}</a>
      </p>
    </section>
  );
}

mount('sign-in', SignedInPage);
