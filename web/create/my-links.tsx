import { useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { LinkStatus } from '../service/link.ts';
import { revokeLink } from '../service/links.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { FileIcon, LinkIcon, LockIcon } from '../shell/icons.tsx';
import type { Fault } from './field-error.tsx';
import type { SavedLink } from './saved-links.ts';
import { type LinkDetails, useDescriptions } from './use-link-details.ts';

const PAGE_SIZE = 10;

const STATUS_LABELS = {
  ACTIVE: 'status.active',
  EXPIRED: 'status.expired',
  REVOKED: 'status.revoked',
} as const satisfies Record<LinkStatus, MessageKey>;

/** The links that were made in this browser, which alone knows them as a list. */
export function MyLinks({ links, onForget }: { links: SavedLink[]; onForget(shortCode: string): void }) {
  const { t } = useI18n();
  const [shownCount, setShownCount] = useState(PAGE_SIZE);
  const [toRevoke, setToRevoke] = useState<SavedLink>();
  const shown = links.slice(0, shownCount);
  const { told, refresh } = useDescriptions(shown.map(({ shortCode }) => shortCode));
  // Where the button that was pressed goes away, the focus goes here.
  const title = useRef<HTMLHeadingElement>(null);
  const showRevoked = async (shortCode: string): Promise<void> => {
    await refresh(shortCode);
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
          {shown.map((link) => (
            <MyLink
              key={link.shortCode}
              link={link}
              told={told.get(link.shortCode)}
              onRevoke={() => setToRevoke(link)}
              onForget={() => {
                title.current?.focus();
                onForget(link.shortCode);
              }}
            />
          ))}
        </ul>
      )}
      {shown.length < links.length && (
        <button type="button" class="button" onClick={() => setShownCount(shownCount + PAGE_SIZE)}>
          {t('mine.more', { count: links.length - shown.length })}
        </button>
      )}
      {toRevoke && (
        <RevokeDialog
          link={toRevoke}
          onClose={() => setToRevoke(undefined)}
          onRevoked={() => void showRevoked(toRevoke.shortCode)}
        />
      )}
    </section>
  );
}

function MyLink({
  link: { accessUrl, title, type, shortCode },
  told,
  onRevoke,
  onForget,
}: {
  link: SavedLink;
  told: LinkDetails | undefined;
  onRevoke(): void;
  onForget(): void;
}) {
  const { t } = useI18n();
  const isActive = typeof told === 'object' && told.status === 'ACTIVE';
  return (
    <li class="my-link" data-status={typeof told === 'object' ? told.status : told}>
      <span class="my-link-icon">{type === 'DOWNLOAD' ? <FileIcon /> : <LinkIcon />}</span>
      <div class="my-link-text">
        <h3 title={title}>{title}</h3>
        <p class="my-link-url">{accessUrl.replace(/^https?:\/\//, '')}</p>
        <State told={told} />
      </div>
      <div class="actions">
        <CopyButton text={accessUrl} label={t('copy.linkOf', { shortCode })} kind="quiet" />
        {isActive && (
          <button
            type="button"
            class="button button-quiet"
            aria-label={t('revoke.of', { shortCode })}
            onClick={onRevoke}
          >
            {t('revoke')}
          </button>
        )}
        <button
          type="button"
          class="button button-quiet"
          aria-label={t('forget.of', { shortCode })}
          onClick={onForget}
        >
          {t('forget')}
        </button>
      </div>
    </li>
  );
}

/** What has become of a link: its state, its views, its time. */
function State({ told }: { told: LinkDetails | undefined }) {
  const { t, format } = useI18n();
  if (told === undefined) return <p class="my-link-state soft">…</p>;
  if (told === 'UNREACHABLE') return <p class="my-link-state soft">{t('status.unreachable')}</p>;
  if (told === 'UNKNOWN') return <p class="my-link-state soft">{t('status.unknown')}</p>;

  const { status, viewCount, maxViews, expiresAt, passwordProtected } = told;
  const now = new Date();
  const expiry = expiresAt === null ? null : new Date(expiresAt);
  return (
    <>
      <p class="my-link-state">
        <span class="badge" data-status={status}>
          {t(STATUS_LABELS[status])}
        </span>
        {passwordProtected && (
          <span class="with-icon">
            <LockIcon />
            {t('state.protected')}
          </span>
        )}
        <span>
          {maxViews === null
            ? t('state.views', { count: viewCount })
            : t('state.viewsOf', { count: viewCount, max: format.number(maxViews) })}
        </span>
        {maxViews !== null && status === 'ACTIVE' && (
          <span>{t('state.viewsLeft', { count: maxViews - viewCount })}</span>
        )}
        {expiry && (
          <time dateTime={expiry.toISOString()} title={format.dateTime(expiry)}>
            {expiry > now
              ? t('state.expires', { when: format.relative(expiry, now) })
              : t('state.expired', { when: format.relative(expiry, now) })}
          </time>
        )}
      </p>
      {maxViews !== null && (
        <progress class="views-meter" max={maxViews} value={viewCount} aria-hidden="true" />
      )}
    </>
  );
}

/** Asks before a link is revoked, which nothing undoes. */
function RevokeDialog({ link, onClose, onRevoked }: { link: SavedLink; onClose(): void; onRevoked(): void }) {
  const { t } = useI18n();
  const [fault, setFault] = useState<Fault>();
  const revoke = async (): Promise<void> => {
    const outcome = await revokeLink(link.shortCode);
    if (outcome.kind === 'REFUSED') return setFault({ text: outcome.text, isOfService: true });
    if (outcome.kind !== 'DONE') return setFault({ text: t('error.unreachable'), isOfService: false });
    onRevoked();
    onClose();
  };
  return (
    <Dialog title={t('revoke.title')} onClose={onClose}>
      <p class="file-name">
        <strong>{link.title}</strong>
      </p>
      <p>{t('revoke.warning')}</p>
      {fault && (
        <p class="form-error" role="alert" lang={fault.isOfService ? 'en' : undefined}>
          {fault.text}
        </p>
      )}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('revoke.keep')}
        </button>
        <button type="button" class="button button-danger" onClick={() => void revoke()}>
          {t('revoke.confirm')}
        </button>
      </div>
    </Dialog>
  );
}
