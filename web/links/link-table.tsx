import { CHEVRON, LOCK, USER } from '../../src/common/icons.ts';
import { type I18n, RequestWords, useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import type { LinkFilter, LinkSort } from '../service/link-list.ts';
import { historyPageUrl } from '../service/links.ts';
import { Icon } from '../shell/icon.tsx';
import { formatViews, LINK_STATE_LABELS } from '../shell/labels.ts';
import { nameOfLink, titleOf } from '../shell/link-facts.ts';
import { TYPE_ICONS, TYPE_TITLES } from '../shell/link-types.ts';
import { Menu, type MenuItem } from '../shell/menu.tsx';
import { answerOf } from '../shell/opened-text.ts';
import { Time } from '../shell/time.tsx';
import { useListTexts } from './list-texts.ts';
import type { Selection } from './selection.tsx';

type RowActions = {
  menuOf(link: LinkDescription): MenuItem[];
  onChooseTag(tag: string): void;
};
type Order = Pick<LinkFilter, 'sort' | 'order'>;
type Props = RowActions & {
  links: LinkDescription[];
  /** Undefined for a user who can do nothing with selected links. */
  selection: Selection | undefined;
  /** True where links of several owners are shown. */
  hasOwners: boolean;
  order: Order;
  onSort(order: Order): void;
};

/** Links as a table; on a phone, as one card each. */
export function LinkTable({ links, selection, hasOwners, order, onSort, ...actions }: Props) {
  const { t } = useI18n();
  const texts = useListTexts();
  const sorting = { order, onSort };
  return (
    <table class="card list-table link-table">
      <thead>
        <tr>
          {selection && (
            <th scope="col" class="select-cell">
              <SelectAll selection={selection} />
            </th>
          )}
          <th scope="col">{t('column.link')}</th>
          <th scope="col" class="recipient-cell">
            {t('recipient')}
          </th>
          <SortHead sort="opened" label={texts('column.opened')} {...sorting} />
          <th scope="col" class="state-cell">
            {t('column.status')}
          </th>
          <SortHead sort="created" label={t('term.created')} {...sorting} />
          {hasOwners && (
            <th scope="col" class="owner-cell">
              {t('column.owner')}
            </th>
          )}
          <th scope="col" class="actions-cell">
            <span class="visually-hidden">{texts('column.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <RequestWords key={link.shortCode} isOn={link.type === 'REQUEST'}>
            <LinkRow link={link} selection={selection} hasOwners={hasOwners} {...actions} />
          </RequestWords>
        ))}
      </tbody>
    </table>
  );
}

type SortProps = { sort: LinkSort; label: string; order: Order; onSort(order: Order): void };

/** The head of a column by which the list can be sorted; a second press reverses the order. */
function SortHead({ sort, label, order, onSort }: SortProps) {
  const direction = order.sort !== sort ? undefined : order.order === 'asc' ? 'ascending' : 'descending';
  const next = direction === 'descending' ? 'asc' : 'desc';
  return (
    <th scope="col" class={`${sort}-cell`} aria-sort={direction}>
      <button type="button" class="sort" onClick={() => onSort({ sort, order: next })}>
        {label}
        {direction && <Icon path={CHEVRON} />}
      </button>
    </th>
  );
}

function SelectAll({ selection }: { selection: Selection }) {
  const texts = useListTexts();
  const { isAllSelected, codes, setAll } = selection;
  return (
    <label class="select">
      <input
        type="checkbox"
        checked={isAllSelected}
        indeterminate={codes.length > 0 && !isAllSelected}
        onChange={({ currentTarget: { checked } }) => setAll(checked)}
      />
      <span class="select-text">{texts('select.all')}</span>
    </label>
  );
}

function SelectOne({ shortCode, selection }: { shortCode: string; selection: Selection }) {
  const texts = useListTexts();
  return (
    <label class="select">
      <input
        type="checkbox"
        aria-label={texts('select.one', { code: shortCode })}
        checked={selection.has(shortCode)}
        onChange={() => selection.toggle(shortCode)}
      />
    </label>
  );
}

type RowProps = RowActions & Pick<Props, 'selection' | 'hasOwners'> & { link: LinkDescription };

function LinkRow({ link, selection, hasOwners, menuOf, onChooseTag }: RowProps) {
  const { t, format } = useI18n();
  const texts = useListTexts();
  const { shortCode, verifiedRecipients = [] } = link;
  const recipient = link.recipient || format.list(verifiedRecipients);
  return (
    <tr data-selected={selection?.has(shortCode) ? '' : undefined}>
      {selection && (
        <td class="select-cell">
          {selection.canSelect(link) && <SelectOne shortCode={shortCode} selection={selection} />}
        </td>
      )}
      <th scope="row" class="link-cell">
        <LinkName {...{ link, hasOwners, onChooseTag }} />
      </th>
      <td class={recipient ? 'recipient-cell' : 'recipient-cell empty-cell'} data-label={t('recipient')}>
        <span class="one-line" title={recipient || undefined}>
          {recipient}
        </span>
      </td>
      <Opened {...link} />
      <State {...link} />
      <td class="created-cell" data-label={t('term.created')}>
        <Time at={link.createdAt} text={format.date} />
      </td>
      {hasOwners && (
        <td class="owner-cell" data-label={t('column.owner')}>
          <span class="one-line">{link.owner?.displayName ?? link.owner?.name ?? t('links.noOwner')}</span>
          {link.team && (
            <span class="second-line one-line" title={t('team')}>
              {link.team}
            </span>
          )}
        </td>
      )}
      <td class="actions-cell">
        <Menu label={`${texts('column.actions')}: ${shortCode}`} items={menuOf(link)} />
      </td>
    </tr>
  );
}

/** Says how often the link was opened, and when last. */
function Opened(link: LinkDescription) {
  const i18n = useI18n();
  const { text, at, isOpened } = answerOf(link, i18n);
  return (
    <td class="opened-cell" data-opened={isOpened ? '' : undefined} title={at && i18n.format.dateTime(at)}>
      {text}
    </td>
  );
}

/** The state of the link, how many of its views are used, and when it expires. */
function State(link: LinkDescription) {
  const { t, format } = useI18n();
  const { state, maxViews, expiresAt } = link;
  return (
    <td class="state-cell">
      <span class="badge" data-status={state}>
        {t(LINK_STATE_LABELS[state])}
      </span>
      {maxViews !== null && <span class="soft small"> {formatViews(link, { t })}</span>}
      {expiresAt !== null && state !== 'EXPIRED' && (
        <span class="second-line">
          {t('expiry')} <Time at={expiresAt} text={format.date} />
        </span>
      )}
    </td>
  );
}

/** What people know the link by; beneath it the short code, what it leads to, the team unless its owner is shown, and the tags. */
function LinkName({ link, hasOwners, onChooseTag }: Omit<RowProps, 'selection' | 'menuOf'>) {
  const i18n = useI18n();
  const texts = useListTexts();
  const { t, format } = i18n;
  const { shortCode, requestCode, tags = [], team, passwordProtected, verifiedRecipients = [] } = link;
  const name = nameOfLink(link, i18n);
  return (
    <>
      <span class="row link-name">
        <a class="one-line" href={historyPageUrl(shortCode)} title={name}>
          {name}
        </a>
        {passwordProtected && <Lock icon={LOCK} text={t('password')} />}
        {verifiedRecipients.length > 0 && (
          <Lock
            icon={USER}
            text={t('links.onlyFor', { addresses: format.list(verifiedRecipients) })}
            count={verifiedRecipients.length}
          />
        )}
      </span>
      <span class="row soft small link-tags">
        <code>{shortCode}</code>
        <LinkTarget link={link} />
        {requestCode !== undefined && (
          <span>
            {t('entry.requestCode')} <a href={historyPageUrl(requestCode)}>{requestCode}</a>
          </span>
        )}
        {team && !hasOwners && <span title={t('team')}>{team}</span>}
        {tags.map((tag) => (
          <button
            key={tag}
            type="button"
            class="tag"
            title={texts('links.onlyTag', { tag })}
            onClick={() => onChooseTag(tag)}
          >
            {tag}
          </button>
        ))}
      </span>
    </>
  );
}

/** A sign that not all who have the link can open it. `count`: how many can. */
function Lock({ icon, text, count }: { icon: string; text: string; count?: number }) {
  const { format } = useI18n();
  return (
    <span class="link-lock soft small" title={text}>
      <Icon path={icon} />
      {count !== undefined && <span aria-hidden="true">{format.number(count)}</span>}
      <span class="visually-hidden">{text}</span>
    </span>
  );
}

/** The target of the link, or a detail of it where the link is named after it. Plain text, so that no click leaves the page by accident. */
function LinkTarget({ link }: { link: LinkDescription }) {
  const i18n = useI18n();
  const { type, label, targetUrl, file, request, requestCode } = link;
  const isNamedByLabel = label && requestCode === undefined;
  const shown = { ...link, targetUrl: targetUrl?.replace(/^https?:\/\//, '') ?? null };
  const title = targetUrl ?? file?.name ?? request?.message;
  return (
    <span class="target" title={title}>
      <Icon path={TYPE_ICONS[type]} />
      <span class="one-line">{(!isNamedByLabel && detailOf(link, i18n)) || titleOf(shown, i18n)}</span>
    </span>
  );
}

/** Returns the size of a file, or that a link asks for files. */
function detailOf({ type, file }: LinkDescription, { t, format }: I18n): string | undefined {
  return file ? format.bytes(file.sizeBytes) : type === 'REQUEST' ? t(TYPE_TITLES[type]) : undefined;
}
