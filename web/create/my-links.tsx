import { useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { useSession } from '../shell/session.tsx';
import { MyLink } from './my-link.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import type { SavedLink } from './saved-links.ts';
import { useLinkDetails } from './use-link-details.ts';

const PAGE_SIZE = 10;

/** The links created in this browser. Only the browser stores this list. */
export function MyLinks({ links, onHide }: { links: SavedLink[]; onHide(shortCode: string): void }) {
  const { t } = useI18n();
  const { isReady } = useSession();
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const [toRevoke, setToRevoke] = useState<SavedLink>();
  const visible = links.slice(0, visibleCount);
  const { details, refresh } = useLinkDetails(visible);
  // Takes the focus when the pressed button disappears.
  const title = useRef<HTMLHeadingElement>(null);
  const hide = (shortCode: string): void => {
    title.current?.focus();
    onHide(shortCode);
  };
  const showRevoked = async (link: SavedLink): Promise<void> => {
    await refresh(link);
    title.current?.focus();
  };

  return (
    <section class="my-links" aria-labelledby="my-links-title">
      <h2 id="my-links-title" ref={title} tabIndex={-1}>
        {t('mine.title')}
      </h2>
      <p class="soft">{links.length === 0 ? t('mine.empty') : t('mine.note')}</p>
      {links.length > 0 && (
        <ul class="card link-list">
          {visible.map((link) => (
            <MyLink
              key={link.shortCode}
              link={link}
              details={details.get(link.shortCode)}
              onRevoke={() => setToRevoke(link)}
              onHide={() => hide(link.shortCode)}
            />
          ))}
        </ul>
      )}
      {visible.length < links.length && (
        <button type="button" class="button" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
          {t('mine.more', { count: links.length - visible.length })}
        </button>
      )}
      {toRevoke && isReady && (
        <RevokeDialog
          link={toRevoke}
          onClose={() => setToRevoke(undefined)}
          onRevoked={() => void showRevoked(toRevoke)}
        />
      )}
    </section>
  );
}
