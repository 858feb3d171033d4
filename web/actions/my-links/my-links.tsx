import { useRef, useState } from 'preact/hooks';
import { RequestWords, useI18n } from '../../i18n/i18n.tsx';
import type { LinkDescription } from '../../service/contract.ts';
import type { SavedLink } from '../../service/saved-links.ts';
import { ConfirmDialog } from '../../shell/dialog.tsx';
import { Notice } from '../../shell/notice.tsx';
import { useSession } from '../../shell/session.tsx';
import { RevokeDialog } from '../revoke-dialog.tsx';
import { MyLink } from './my-link.tsx';
import { type HideActions, type LinkDetails, useHiddenLink, useLinkDetails } from './use-my-links.ts';

const PAGE_SIZE = 10;

type Props = HideActions & { links: SavedLink[] };

/** The links created in this browser without signing in. Only the browser stores this list. */
export function MyLinks({ links, ...actions }: Props) {
  const { t, format } = useI18n();
  const { isReady } = useSession();
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const [toRevoke, setToRevoke] = useState<SavedLink>();
  const [toHide, setToHide] = useState<SavedLink>();
  const { search, found } = useSearch(links);
  const visible = found.slice(0, visibleCount);
  const { details, refresh } = useLinkDetails(visible);
  // Takes the focus when the pressed button disappears.
  const title = useRef<HTMLHeadingElement>(null);
  const focusTitle = (): void => title.current?.focus();
  const { hidden, hide, restore } = useHiddenLink(links, actions, focusTitle);
  const showRevoked = async (link: SavedLink): Promise<void> => {
    await refresh(link);
    focusTitle();
  };
  return (
    <section class="column my-links" aria-labelledby="my-links-title">
      <h2 id="my-links-title" ref={title} tabIndex={-1}>
        {t('mine.title')}
      </h2>
      <p class="soft">
        {links.length === 0
          ? t('mine.empty')
          : `${t('mine.note')} ${t('times.zone', { zone: format.timeZone })}.`}
      </p>
      {search}
      <Notice text={hidden && t('hide.done', { title: hidden.title })} onUndo={restore} />
      <Cards
        links={visible}
        details={details}
        onRevoke={setToRevoke}
        onHide={(link) => (isActive(details.get(link.shortCode)) ? setToHide(link) : hide(link))}
      />
      <MoreButton
        count={found.length - visible.length}
        onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}
      />
      {toHide && (
        <HideDialog
          link={toHide}
          onConfirm={() => {
            setToHide(undefined);
            hide(toHide);
          }}
          onClose={() => setToHide(undefined)}
        />
      )}
      {toRevoke && isReady && (
        <RevokeDialog
          link={toRevoke}
          description={toDescription(details.get(toRevoke.shortCode))}
          onClose={() => setToRevoke(undefined)}
          onRevoked={() => void showRevoked(toRevoke)}
        />
      )}
    </section>
  );
}

/** A search among many links: its field, and what it finds. */
function useSearch(links: SavedLink[]) {
  const { t } = useI18n();
  const [text, setText] = useState('');
  const found = links.filter((link) => isFound(link, text));
  const search = links.length > PAGE_SIZE && (
    <>
      <input
        type="search"
        aria-label={t('links.search')}
        placeholder={t('links.search')}
        value={text}
        onInput={({ currentTarget: { value } }) => setText(value)}
      />
      {found.length === 0 && <p role="status">{t('links.none')}</p>}
    </>
  );
  return { search, found };
}

/** Returns true for a link with all words of a search in its title or its address. */
function isFound({ title, accessUrl }: SavedLink, search: string): boolean {
  const text = `${title} ${accessUrl}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

type CardsProps = {
  links: SavedLink[];
  details: ReadonlyMap<string, LinkDetails>;
  onRevoke(link: SavedLink): void;
  onHide(link: SavedLink): void;
};

function Cards({ links, details, onRevoke, onHide }: CardsProps) {
  if (links.length === 0) return null;
  return (
    <ul class="card plain link-list">
      {links.map((link) => (
        <RequestWords key={link.shortCode} isOn={link.type === 'REQUEST'}>
          <MyLink
            link={link}
            details={details.get(link.shortCode)}
            onRevoke={() => onRevoke(link)}
            onHide={() => onHide(link)}
          />
        </RequestWords>
      ))}
    </ul>
  );
}

function MoreButton({ count, onClick }: { count: number; onClick(): void }) {
  const { t } = useI18n();
  return count === 0 ? null : (
    <button type="button" class="button" onClick={onClick}>
      {t('mine.more', { count })}
    </button>
  );
}

type DialogProps = { link: SavedLink; onConfirm(): void; onClose(): void };

/** Asks before an active link leaves the list, which has its token. */
function HideDialog({ link, ...actions }: DialogProps) {
  const { t } = useI18n();
  return (
    <ConfirmDialog title={t('hide.title')} action={t('hide')} isDangerous={false} {...actions}>
      <p class="break">
        <strong>{link.title}</strong>
      </p>
      <p>{t('hide.warning')}</p>
    </ConfirmDialog>
  );
}

function isActive(details: LinkDetails | undefined): boolean {
  return toDescription(details)?.status === 'ACTIVE';
}

function toDescription(details: LinkDetails | undefined): LinkDescription | undefined {
  return typeof details === 'object' ? details : undefined;
}
