import { useEffect, useRef, useState } from 'preact/hooks';
import { MyLink } from '../actions/my-links/my-link.tsx';
import { REFRESH_EACH_MS } from '../actions/my-links/use-my-links.ts';
import { RevokeDialog } from '../actions/revoke-dialog.tsx';
import { RequestWords, useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { fetchOwnLinks } from '../service/link-list.ts';
import { serviceUrl } from '../service/requests.ts';
import { titleOf } from '../shell/link-facts.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { useSession } from '../shell/session.tsx';
import { useLive } from '../shell/use-live.ts';
import { usePages } from '../shell/use-pages.ts';

const SHOWN = 5;

type Props = {
  /** Changes with the newest link. */
  newest: string | undefined;
  onList(hasLinks: boolean): void;
};

/** The latest links of a user who has signed in. The service has the list, so no token is stored. */
export function OwnLinks({ newest, onList }: Props) {
  const i18n = useI18n();
  const { t, format } = i18n;
  const { isReady } = useSession();
  const [toRevoke, setToRevoke] = useState<LinkDescription>();
  const title = useRef<HTMLHeadingElement>(null);
  const { list, failure, restart, refresh } = usePages({
    key: '',
    fetchPage: fetchOwnLinks,
    idOf: ({ shortCode }) => shortCode,
    size: SHOWN,
  });
  const refreshAll = (): Promise<void> => refresh((_, latest) => latest);
  useEffect(() => {
    if (newest !== undefined) void refreshAll();
  }, [newest]);
  useLive({ path: null, refresh: refreshAll, pollEachMs: REFRESH_EACH_MS });
  const hasLinks = list !== undefined && list.items.length > 0;
  useEffect(() => onList(hasLinks), [hasLinks]);
  if (failure && !list) return <LoadProblem failure={failure} onRetry={restart} />;
  if (!hasLinks) return list ? <p class="soft">{t('links.emptyHint')}</p> : null;
  const toShown = (link: LinkDescription) => ({ ...link, title: titleOf(link, i18n) });
  return (
    <section class="column my-links" aria-labelledby="own-links-title">
      <h2 id="own-links-title" ref={title} tabIndex={-1}>
        {t('mine.latest')}
      </h2>
      <p class="soft">{`${t('times.zone', { zone: format.timeZone })}.`}</p>
      {failure && <LoadProblem failure={failure} onRetry={restart} />}
      <ul class="card plain link-list">
        {list.items.map((link) => (
          <RequestWords key={link.shortCode} isOn={link.type === 'REQUEST'}>
            <MyLink link={toShown(link)} details={link} onRevoke={() => setToRevoke(link)} />
          </RequestWords>
        ))}
      </ul>
      {list.next !== null && (
        <a class="button" href={serviceUrl('links').href}>
          {t('board.links')}
        </a>
      )}
      {toRevoke && isReady && (
        <RevokeDialog
          link={toShown(toRevoke)}
          description={toRevoke}
          onClose={() => setToRevoke(undefined)}
          onRevoked={() => {
            void refreshAll();
            title.current?.focus();
          }}
        />
      )}
    </section>
  );
}
