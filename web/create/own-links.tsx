import { useEffect, useRef, useState } from 'preact/hooks';
import { MyLink } from '../actions/my-links/my-link.tsx';
import { REFRESH_INTERVAL_MS } from '../actions/my-links/use-my-links.ts';
import { RevokeDialog } from '../actions/revoke-dialog.tsx';
import { RequestWords, useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { fetchOwnLinks } from '../service/link-list.ts';
import { serviceUrl } from '../service/requests.ts';
import { titleOf } from '../shell/link-facts.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { useSession } from '../shell/session.tsx';
import { usePolling } from '../shell/use-live.ts';
import { usePages } from '../shell/use-pages.ts';

const SHOWN = 5;

/** The latest links of a user who has signed in. The service has the list, so no token is stored. `newest`: changes with it. */
export function OwnLinks({ newest }: { newest: string | undefined }) {
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
  const refreshAll = (): void => void refresh((_, latest) => latest);
  useEffect(() => {
    if (newest !== undefined) refreshAll();
  }, [newest]);
  usePolling(refreshAll, REFRESH_INTERVAL_MS);
  const toShown = (link: LinkDescription) => ({ ...link, title: titleOf(link, i18n) });
  return (
    <section class="column my-links" aria-labelledby="own-links-title">
      <h2 id="own-links-title" ref={title} tabIndex={-1}>
        {t('mine.latest')}
      </h2>
      {list && (
        <p class="soft">
          {list.items.length === 0 ? t('links.emptyHint') : `${t('times.zone', { zone: format.timeZone })}.`}
        </p>
      )}
      {failure && <LoadProblem failure={failure} onRetry={restart} />}
      {list && list.items.length > 0 && (
        <ul class="card plain link-list">
          {list.items.map((link) => (
            <RequestWords key={link.shortCode} isOn={link.type === 'REQUEST'}>
              <MyLink link={toShown(link)} details={link} onRevoke={() => setToRevoke(link)} />
            </RequestWords>
          ))}
        </ul>
      )}
      {list && list.next !== null && (
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
            refreshAll();
            title.current?.focus();
          }}
        />
      )}
    </section>
  );
}
