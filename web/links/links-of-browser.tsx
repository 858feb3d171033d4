import { useState } from 'preact/hooks';
import { BrowserLinks, useSavedLinks } from '../actions/my-links/browser-links.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { Command } from '../shell/command.tsx';
import { CopyButton } from '../shell/copy-button.tsx';
import { KEY_COMMAND, KeyCommandPlace } from '../shell/key-command.tsx';
import { LazySignIn } from '../shell/lazy-sign-in.tsx';
import { useSession } from '../shell/session.tsx';
import { LinksHead } from './links-head.tsx';
import { useListTexts } from './list-texts.ts';

/** The page of a service with open access: the links of this browser, and the way to the list of all. */
export function LinksOfBrowser({ bulkQuery }: { bulkQuery: string }) {
  const { t } = useI18n();
  const texts = useListTexts();
  const { settings } = useSession();
  const [wantsSignIn, setWantsSignIn] = useState(false);
  const saved = useSavedLinks();
  if (wantsSignIn) return <LazySignIn hasEnded={false} />;
  const { hasPeople = false, hasProvider = false } = settings?.access ?? {};
  const hasAccounts = hasPeople || hasProvider;
  return (
    <>
      <LinksHead bulkQuery={bulkQuery} />
      <BrowserLinks {...saved} />
      <details class="links-of-service">
        <summary>{texts('links.ofService')}</summary>
        <p>{texts(hasAccounts ? 'links.signedIn' : 'links.withKey')}</p>
        {!hasAccounts && (
          <>
            <div class="row spread secret-to-copy">
              <p>
                <Command text={KEY_COMMAND} />
              </p>
              <CopyButton text={KEY_COMMAND} label={t('copy')} isLabelShown kind="quiet" />
            </div>
            <p class="soft small">
              <KeyCommandPlace />
            </p>
          </>
        )}
        <button type="button" class="button" onClick={() => setWantsSignIn(true)}>
          {t('signIn')}
        </button>
      </details>
    </>
  );
}
