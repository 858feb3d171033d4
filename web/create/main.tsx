import { useState } from 'preact/hooks';
import { BrowserLinks, useSavedLinks } from '../actions/my-links/browser-links.tsx';
import { preventFileNavigation } from '../files/take-dropped.ts';
import { RequestWords, useI18n } from '../i18n/i18n.tsx';
import { lazy } from '../shell/lazy.tsx';
import { Missing } from '../shell/missing.tsx';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';
import { Result } from './lazy-result.ts';
import { LinkForm } from './link-form.tsx';
import { OtherApps } from './other-apps.tsx';
import { isWelcome } from './parameters.ts';
import type { NewLink } from './use-submission.ts';

const OwnLinks = lazy(async () => (await import('./own-links.tsx')).OwnLinks);

/** The place of the list, to which a narrow page leads. */
const LATEST_LINKS = 'latest-links';

/** The page on which links are created. */
function CreatePage() {
  const { t } = useI18n();
  const { may, caller } = useSession();
  const [created, setCreated] = useState<NewLink>();
  const [newest, setNewest] = useState<string>();
  const [kind, setKind] = useState<NewLink['kind']>('URL');
  const [hasOwn, setHasOwn] = useState(false);
  const saved = useSavedLinks();
  const [welcomes] = useState(isWelcome);

  function showCreated(created: NewLink): void {
    const { link, token, title, type } = created;
    const { shortCode, accessUrl } = link;
    // The service lists the links of a user, who needs no token.
    if (!caller) saved.save({ shortCode, accessUrl, title, type, ...(token !== null && { token }) });
    setCreated(created);
    setNewest(shortCode);
    setKind(created.kind);
  }

  const mayList = may('create') || may('read');
  const hasList = caller ? mayList && hasOwn : saved.links.length > 0;
  return (
    <>
      <div class="column">
        {hasList && (
          <p class="to-latest-links">
            <a href={`#${LATEST_LINKS}`}>{t('mine.latest')}</a>
          </p>
        )}
        {created && (
          <RequestWords isOn={created.type === 'REQUEST'}>
            <Result created={created} onRestart={() => setCreated(undefined)} />
          </RequestWords>
        )}
        {welcomes && caller && newest === undefined && (
          <p role="status">{t('welcome', { name: caller.displayName ?? caller.name })}</p>
        )}
        {!created && may('create') && (
          <LinkForm
            takesFocus={newest !== undefined || startsWithFocus()}
            kind={kind}
            onCreated={showCreated}
          />
        )}
        {!created && !may('create') && <Missing title={t('create.title')} text={t('scope.create')} />}
      </div>
      <div id={LATEST_LINKS} class="column">
        {caller && mayList && (
          <OwnLinks key={`${caller.kind} ${caller.name}`} newest={newest} onList={setHasOwn} />
        )}
        {!caller && <BrowserLinks {...saved} />}
        {!created && may('create') && <OtherApps />}
      </div>
    </>
  );
}

/** Returns true if the form takes the focus at once: unless that opens a keyboard, or the user is elsewhere already. */
function startsWithFocus(): boolean {
  return !matchMedia('(pointer: coarse)').matches && document.activeElement === document.body;
}

preventFileNavigation();
mount('create', CreatePage);
