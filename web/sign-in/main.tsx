import { useEffect } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';

/** Where `?to=` leads after the sign-in. Only these names: a URL could lead to another site. */
const DESTINATIONS = new Map([
  ['dashboard', './dashboard'],
  ['docs', './docs'],
]);

/** The page behind the sign-in, which leads a user who is signed in to another page. */
function SignedInPage() {
  const { t } = useI18n();
  const { caller } = useSession();
  const isSignedIn = caller !== null;
  const to = new URLSearchParams(location.search).get('to') ?? '';
  const destination = DESTINATIONS.get(to) ?? './';
  useEffect(() => {
    if (isSignedIn) location.replace(new URL(destination, document.baseURI));
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
