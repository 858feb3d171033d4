import { LOCK, USER } from '../../../src/common/icons.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import type { MessageKey } from '../../i18n/translate.ts';
import type { LinkDescription, LinkType } from '../../service/contract.ts';
import { historyPageUrl } from '../../service/links.ts';
import type { SavedLink } from '../../service/saved-links.ts';
import { Breakable } from '../../shell/breakable.tsx';
import { CopyButton } from '../../shell/copy-button.tsx';
import { Icon } from '../../shell/icon.tsx';
import { formatViews, labelOfState } from '../../shell/labels.ts';
import { nameOfLink } from '../../shell/link-facts.ts';
import { TYPE_ICONS } from '../../shell/link-types.ts';
import { answerOf } from '../../shell/opened-text.ts';
import { Time } from '../../shell/time.tsx';
import { copyLabelOf } from '../copy-label.ts';
import { sharedUrlOf, toShortUrl } from '../shown-urls.ts';
import type { LinkDetails } from './use-my-links.ts';

type Props = {
  link: SavedLink;
  details: LinkDetails | LinkDescription | undefined;
  onRevoke(): void;
  /** Undefined for a link that the service lists. */
  onHide?(): void;
};

/** One link of the list, with its current state. */
export function MyLink({ link, details, onRevoke, onHide }: Props) {
  const i18n = useI18n();
  const { t } = i18n;
  const { title, type, shortCode } = link;
  const name = typeof details === 'object' ? nameOfLink(details, i18n, title) : title;
  const url = sharedUrlOf(link);
  const status = typeof details === 'object' ? details.status : details;
  const copyLabel = copyLabelOf(typeof details === 'object' ? details : {});
  const hasReceived =
    type === 'REQUEST' || (typeof details === 'object' && details.requestCode !== undefined);
  const pageName = t(hasReceived ? 'request.arrived' : 'history.title');
  return (
    <li class="my-link" data-status={status}>
      <span class="my-link-icon">
        <Icon path={TYPE_ICONS[type]} />
      </span>
      <div class="my-link-facts">
        <h3 class="one-line" title={title}>
          <a href={historyPageUrl(shortCode)}>{name}</a>
        </h3>
        {typeof details === 'object' && <Answer {...details} />}
        <p class="soft small one-line">{toShortUrl(url)}</p>
        <State details={details} title={title === name ? '' : title} />
      </div>
      <div class="actions">
        <CopyButton
          text={url}
          label={`${t(copyLabel)}: ${shortCode}`}
          shown={copyLabel === 'copy.link' ? undefined : t(copyLabel)}
          kind="quiet"
        />
        <a
          class="button button-quiet"
          href={historyPageUrl(shortCode)}
          aria-label={`${pageName}: ${shortCode}`}
        >
          {pageName}
        </a>
        {status === 'ACTIVE' && <Action text={t('revoke')} shortCode={shortCode} onClick={onRevoke} />}
        {onHide && <Action text={t('hide')} shortCode={shortCode} onClick={onHide} />}
      </div>
    </li>
  );
}

function Action({ text, shortCode, onClick }: { text: string; shortCode: string; onClick(): void }) {
  return (
    <button type="button" class="button button-quiet" aria-label={`${text}: ${shortCode}`} onClick={onClick}>
      {text}
    </button>
  );
}

/** Answers whether the link was opened, or when its files arrived, as its own page does. */
function Answer(link: LinkDescription) {
  const i18n = useI18n();
  const { text, at, isOpened } = answerOf(link, i18n);
  return (
    <p class="my-link-answer" data-opened={isOpened ? '' : undefined} title={at && i18n.format.dateTime(at)}>
      {text}
    </p>
  );
}

type StateProps = Pick<Props, 'details'> & {
  /** What the link leads to, unless its name says it. */
  title: string;
};

function State({ details, title }: StateProps) {
  const { t } = useI18n();
  if (typeof details === 'object') return <KnownState link={details} title={title} />;
  return (
    <p class="row soft small my-link-state">
      {details === undefined && '…'}
      {details === 'UNREACHABLE' && t('status.unreachable')}
      {details === 'UNKNOWN' && t('status.unknown')}
    </p>
  );
}

/** The status, views and expiry of a link. */
function KnownState({ link, title }: { link: LinkDescription; title: string }) {
  const { state, viewCount, maxViews, createdAt, startsAt, expiresAt, passwordProtected, file } = link;
  const { verifiedRecipients = [] } = link;
  const i18n = useI18n();
  const { t, format } = i18n;
  const now = new Date();
  const relative = (key: 'state.opens' | 'state.expires' | 'state.expired') => (at: Date) =>
    t(key, { when: format.relative(at, now) });
  // A link whose views are used up, or that was revoked, no longer expires.
  const hasExpiry = expiresAt !== null && state !== 'REVOKED' && state !== 'USED_UP';
  return (
    <>
      <Labels link={link} title={title} />
      <p class="row soft small my-link-state">
        <span class="badge" data-status={state}>
          {t(labelOfState(link))}
        </span>
        {passwordProtected && <Locked text={t('password')} />}
        {verifiedRecipients.length > 0 && (
          <Locked icon={USER} text={t('links.onlyFor', { addresses: format.list(verifiedRecipients) })} />
        )}
        {file?.encrypted && <Locked text={t('mine.encrypted')} />}
        {file?.fileCount !== undefined && <span>{t('mine.files', { count: file.fileCount })}</span>}
        {maxViews !== null && <span>{formatViews(link, i18n)}</span>}
      </p>
      <p class="row soft small my-link-state">
        <span>{t('state.created', { when: format.shortDateTime(new Date(createdAt)) })}</span>
        {startsAt !== null && new Date(startsAt) > now && (
          <Time at={startsAt} text={relative('state.opens')} />
        )}
        {hasExpiry && (
          <Time
            at={expiresAt}
            text={relative(new Date(expiresAt) > now ? 'state.expires' : 'state.expired')}
          />
        )}
      </p>
      {maxViews !== null && (
        <progress class="views-meter" max={maxViews} value={viewCount} aria-hidden="true" />
      )}
    </>
  );
}

function Locked({ icon = LOCK, text }: { icon?: string; text: string }) {
  return (
    <span class="with-icon my-link-lock" title={text}>
      <Icon path={icon} />
      <span>{text}</span>
    </span>
  );
}

const TITLE_NAMES = {
  REDIRECT: 'edit.target',
  DOWNLOAD: 'term.fileName',
  REQUEST: 'request.message',
} as const satisfies Record<LinkType, MessageKey>;

/** What the link leads to and its labels, as far as its name leaves them out and this browser may see them. */
function Labels({ link, title }: { link: LinkDescription; title: string }) {
  const { type, file, recipient, tags = [] } = link;
  const { t } = useI18n();
  const labels: [name: string, text: string][] = [
    [t(TITLE_NAMES[type]), file?.text ? '' : title], // a text has the time of the service in its name
    [t('recipient'), recipient ? t('links.recipient', { recipient }) : ''],
    [t('tags'), tags.join(', ')],
  ];
  const shown = labels.filter(([, text]) => text !== '');
  if (shown.length === 0) return null;
  return (
    <p class="row soft small break my-link-state">
      {shown.map(([name, text]) => (
        <span key={name}>
          <span class="visually-hidden">{name}: </span>
          <Breakable text={text} />
        </span>
      ))}
    </p>
  );
}
