import { FILE, LINK, LOCK } from '../../src/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { ListedLink } from '../service/contract.ts';
import { historyPageUrl } from '../service/links.ts';
import { Icon } from '../shell/icon.tsx';
import { LINK_STATE_LABELS } from '../shell/labels.ts';
import type { Selection } from './selection.tsx';

type RowActions = {
  mayEdit(link: ListedLink): boolean;
  onEdit(link: ListedLink): void;
  onChooseTag(tag: string): void;
};
type Props = RowActions & {
  links: ListedLink[];
  /** Undefined for a user who can do nothing with selected links. */
  selection: Selection | undefined;
};

const COLUMNS = {
  link: 'column.link',
  target: 'column.target',
  state: 'column.status',
  views: 'column.views',
  created: 'term.created',
  opened: 'column.lastOpened',
  creator: 'column.creator',
} as const satisfies Record<string, MessageKey>;

/** Links as a table; on a phone, as one card each. */
export function LinkTable({ links, selection, ...actions }: Props) {
  const { t } = useI18n();
  return (
    <table class="card link-table">
      <thead>
        <tr>
          {selection && (
            <th scope="col" class="select-cell">
              <SelectAll selection={selection} />
            </th>
          )}
          {Object.entries(COLUMNS).map(([name, label]) => (
            <th key={name} scope="col">
              {t(label)}
            </th>
          ))}
          <th scope="col">
            <span class="visually-hidden">{t('column.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <LinkRow key={link.shortCode} link={link} selection={selection} {...actions} />
        ))}
      </tbody>
    </table>
  );
}

function SelectAll({ selection }: { selection: Selection }) {
  const { t } = useI18n();
  const { isAllSelected, codes, setAll } = selection;
  return (
    <label class="select">
      <input
        type="checkbox"
        checked={isAllSelected}
        indeterminate={codes.length > 0 && !isAllSelected}
        onChange={({ currentTarget: { checked } }) => setAll(checked)}
      />
      <span class="select-text">{t('select.all')}</span>
    </label>
  );
}

function SelectOne({ shortCode, selection }: { shortCode: string; selection: Selection }) {
  const { t } = useI18n();
  return (
    <label class="select">
      <input
        type="checkbox"
        aria-label={t('select.one', { code: shortCode })}
        checked={selection.has(shortCode)}
        onChange={() => selection.toggle(shortCode)}
      />
    </label>
  );
}

type RowProps = RowActions & { link: ListedLink; selection: Selection | undefined };

function LinkRow({ link, selection, mayEdit, onEdit, onChooseTag }: RowProps) {
  const { t, format } = useI18n();
  const { shortCode, state, viewCount, maxViews } = link;
  return (
    <tr data-selected={selection?.has(shortCode) ? '' : undefined}>
      {selection && (
        <td class="select-cell">
          {selection.canSelect(link) && <SelectOne shortCode={shortCode} selection={selection} />}
        </td>
      )}
      <th scope="row" class="link-cell">
        <LinkName link={link} onChooseTag={onChooseTag} />
      </th>
      <td class="target-cell">
        <LinkTarget link={link} />
      </td>
      <td class="state-cell">
        <span class="badge" data-status={state}>
          {t(LINK_STATE_LABELS[state])}
        </span>
        {link.expiresAt !== null && state !== 'EXPIRED' && (
          <span class="link-expiry">
            {t('expiry')} <Time at={link.expiresAt} />
          </span>
        )}
      </td>
      <td data-label={t('column.views')}>
        {maxViews === null
          ? format.number(viewCount)
          : t('links.viewsOf', { count: viewCount, max: format.number(maxViews) })}
      </td>
      <td data-label={t('term.created')}>
        <Time at={link.createdAt} />
      </td>
      <td data-label={t('column.lastOpened')}>
        {link.lastOpenedAt === null ? t('links.never') : <Time at={link.lastOpenedAt} />}
      </td>
      <td class="creator-cell" data-label={t('column.creator')}>
        {link.creator.name ?? t('links.anonymous')}
      </td>
      <td class="actions-cell">
        {mayEdit(link) && state !== 'REVOKED' && (
          <button
            type="button"
            class="button button-quiet"
            aria-label={`${t('edit')}: ${shortCode}`}
            onClick={() => onEdit(link)}
          >
            {t('edit')}
          </button>
        )}
      </td>
    </tr>
  );
}

function LinkName({ link, onChooseTag }: { link: ListedLink; onChooseTag(tag: string): void }) {
  const { t } = useI18n();
  const { shortCode, label, tags, passwordProtected } = link;
  return (
    <>
      <a href={historyPageUrl(shortCode)}>
        <code>{shortCode}</code>
      </a>
      {passwordProtected && (
        <span class="link-lock" title={t('password')}>
          <Icon path={LOCK} />
          <span class="visually-hidden">{t('password')}</span>
        </span>
      )}
      {label !== null && <span class="link-label">{label}</span>}
      {tags.length > 0 && (
        <span class="link-tags">
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              class="tag"
              title={t('links.onlyTag', { tag })}
              onClick={() => onChooseTag(tag)}
            >
              {tag}
            </button>
          ))}
        </span>
      )}
    </>
  );
}

/** The target of the link, and for whom it is. Plain text, so that no click leaves the page by accident. */
function LinkTarget({ link: { type, targetUrl, file, recipient } }: { link: ListedLink }) {
  const { t } = useI18n();
  const title = targetUrl ?? file?.name;
  return (
    <>
      <span class="target" title={title}>
        <Icon path={type === 'DOWNLOAD' ? FILE : LINK} />
        <span class="target-text">
          {targetUrl?.replace(/^https?:\/\//, '') ??
            file?.name ??
            t(type === 'DOWNLOAD' ? 'link.file' : 'link.url')}
        </span>
      </span>
      {recipient !== null && <span class="recipient">{t('links.recipient', { recipient })}</span>}
    </>
  );
}

function Time({ at }: { at: string }) {
  const { format } = useI18n();
  const date = new Date(at);
  return (
    <time dateTime={at} title={format.dateTime(date)}>
      {format.shortDateTime(date)}
    </time>
  );
}
