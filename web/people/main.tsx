import type { ComponentType } from 'preact';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { serviceUrl } from '../service/requests.ts';
import { lazy } from '../shell/lazy.tsx';
import { LazySignIn } from '../shell/lazy-sign-in.tsx';
import { Missing } from '../shell/missing.tsx';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';
import { KeysSection } from './keys-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { PeopleTexts, usePeopleTexts } from './people-texts.ts';
import { TeamsSection } from './teams-section.tsx';

const SECTIONS = {
  people: ['people.title', PeopleSection],
  teams: ['teams.title', TeamsSection],
  keys: ['apiKeys.title', () => <KeysSection isAll />],
  space: ['space.title', lazy(async () => (await import('./space.tsx')).SpaceSection)],
} as const satisfies Record<string, readonly [MessageKey, ComponentType]>;

/** The page on which administrators manage people, teams, API keys and space. */
function PeoplePage() {
  const { settings, caller } = useSession();
  // It needs a sign-in even where anyone may create links.
  if (settings && !caller) return <LazySignIn hasEnded={false} />;
  return caller?.scopes.includes('admin') ? (
    <PeopleTexts>
      <Sections key={caller.name} />
    </PeopleTexts>
  ) : (
    <NotAllowed />
  );
}

function NotAllowed() {
  const { t } = useI18n();
  return <Missing title={t('people.title')} text={t('people.notAllowed')} />;
}

function Sections() {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const wanted = new URLSearchParams(location.search).get('show');
  const [[current, [, Section]] = ['people', SECTIONS.people]] = Object.entries(SECTIONS).filter(
    ([name]) => name === wanted,
  );
  return (
    <>
      <nav class="row site-nav sections" aria-label={peopleT('people.sections')}>
        {Object.entries(SECTIONS).map(([name, [label]]) => (
          <a
            key={name}
            href={serviceUrl(name === 'people' ? 'people' : `people?show=${name}`).href}
            aria-current={name === current ? 'page' : undefined}
          >
            {t(label)}
          </a>
        ))}
      </nav>
      <Section />
    </>
  );
}

mount('people', PeoplePage);
