import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CHEVRON } from '../../src/common/icons.ts';
import { SHOWN_STATES } from '../../src/core/model/link.ts';
import { LINK_TYPES } from '../../src/core/model/link-type.ts';
import { SavedSettings } from '../form/saved-settings.tsx';
import { SelectField } from '../form/select.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { LINK_SORTS, type LinkFilter, type LinkSort } from '../service/link-list.ts';
import { DayRange, findReversal } from '../shell/day-range.tsx';
import { Icon } from '../shell/icon.tsx';
import { LINK_STATE_LABELS } from '../shell/labels.ts';
import { isFiltered, MORE_FILTERS, parseFilter, toQuery, withoutFilter } from './filter.ts';
import { useListTexts } from './list-texts.ts';

/** Values of the links that are shown. */
export type Suggestions = { tag: string[]; owner: string[] };
type Props = {
  filter: LinkFilter;
  /** True where links of several owners are shown. */
  hasOwners: boolean;
  suggestions: Suggestions;
  onFilter(filter: LinkFilter): void;
};

/** A typed text applies when the user pauses for this time. */
const TYPING_PAUSE_MS = 300;

/** The search, the order and the filters of the list. */
export function FilterForm({ filter, hasOwners, suggestions, onFilter }: Props) {
  const texts = useListTexts();
  const { draft, type, change, apply } = useDraft(filter, onFilter);
  const count = MORE_FILTERS.filter((name) => draft[name] !== '').length;
  const [wantsMore, setOpen] = useState(count > 0);
  const isOpen = wantsMore || findReversal(draft) !== null;
  // A filter that is set outside, by a tag of a link, is shown.
  useEffect(() => {
    if (count > 0) setOpen(true);
  }, [count > 0]);
  return (
    <form
      class="column link-filter"
      noValidate
      aria-label={texts('links.filter')}
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="field-row filter-row">
        <SearchField text={draft.search} onType={(search) => type({ search })} onLeave={apply} />
        <SortField filter={draft} onChange={change} />
      </div>
      {ranksSome(draft) && (
        <p id={SORT_HINT_ID} class="soft small">
          {texts('sort.bound')}
        </p>
      )}
      <div class="row filter-bar">
        <StateField states={draft.states} onChange={(states) => change({ states })} />
        <MoreToggle count={count} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        <SavedSettings
          kind="filters"
          label={texts('saved.filters')}
          value={toQuery(draft)}
          onChoose={(query) => onFilter(parseFilter(query))}
        />
        {isFiltered(draft) && (
          <button type="button" class="button button-quiet" onClick={() => change(withoutFilter(draft))}>
            {texts('links.clear')}
          </button>
        )}
      </div>
      <div id="more-filters" class="field-row filter-row" hidden={!isOpen}>
        <MoreFilters
          draft={draft}
          hasOwners={hasOwners}
          suggestions={suggestions}
          onChange={change}
          onType={type}
          onLeave={apply}
        />
      </div>
    </form>
  );
}

type ToggleProps = { count: number; isOpen: boolean; onToggle(): void };

/** Opens the rare filters, of which so many are set. */
function MoreToggle({ count, isOpen, onToggle }: ToggleProps) {
  const texts = useListTexts();
  return (
    <button
      type="button"
      class="button button-quiet toggle"
      aria-expanded={isOpen}
      aria-controls="more-filters"
      onClick={onToggle}
    >
      {count === 0 ? texts('links.more.filters') : texts('links.more.filtersSet', { count })}
      <Icon path={CHEVRON} />
    </button>
  );
}

/** Holds what the form contains. A choice applies at once with all texts, and a typed text after a pause. */
function useDraft(filter: LinkFilter, onFilter: Props['onFilter']) {
  const [draft, setDraft] = useState(filter);
  const applied = useRef(filter);
  // A filter that was applied here may already be older than what the user has typed.
  useLayoutEffect(() => {
    if (filter !== applied.current) setDraft(filter);
  }, [filter]);
  const applyDraft = (wanted: LinkFilter): void => {
    if (findReversal(wanted) || toQuery(wanted) === toQuery(filter)) return;
    applied.current = wanted;
    onFilter(wanted);
  };
  useEffect(() => {
    if (draft === filter) return undefined;
    const timer = setTimeout(() => applyDraft(draft), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, filter]);
  const type = (part: Partial<LinkFilter>): void => setDraft((now) => ({ ...now, ...part }));
  const change = (part: Partial<LinkFilter>): void => {
    const changed = { ...draft, ...part };
    setDraft(changed);
    applyDraft(changed);
  };
  return { draft, type, change, apply: () => applyDraft(draft) };
}

type SearchProps = { text: string; onType(text: string): void; onLeave(): void };

function SearchField({ text, onType, onLeave }: SearchProps) {
  const { t } = useI18n();
  const texts = useListTexts();
  return (
    <label class="filter-search">
      <span class="visually-hidden">{t('links.search')}</span>
      <input
        type="search"
        autoComplete="off"
        spellcheck={false}
        placeholder={texts('links.searchHint')}
        value={text}
        onInput={({ currentTarget: { value } }) => onType(value)}
        onChange={onLeave}
      />
    </label>
  );
}

const DAY_LABELS = { from: 'links.from', to: 'links.to' } as const;

type ChangeProps = { onChange(part: Partial<LinkFilter>): void };
/** `onLeave`: the user pressed Enter or left the field. */
type TypeProps = { onType(part: Partial<LinkFilter>): void; onLeave(): void };

const ORDER_LABELS = {
  created: { desc: 'sort.newest', asc: 'sort.oldest' },
  views: { desc: 'sort.mostViews', asc: 'sort.fewestViews' },
  opened: { desc: 'sort.lastOpened', asc: 'sort.leastOpened' },
} as const satisfies Record<LinkSort, Record<LinkFilter['order'], string>>;

const SORT_HINT_ID = 'link-sort-hint';

type Order = Pick<LinkFilter, 'sort' | 'order'>;

/** Returns whether links that are not ranked could be the first of all. */
function ranksSome({ sort, order }: Order): boolean {
  return sort !== 'created' && order === 'asc';
}

function SortField({ filter: { sort, order }, onChange }: { filter: LinkFilter } & ChangeProps) {
  const texts = useListTexts();
  const choices = LINK_SORTS.flatMap((each) =>
    (['desc', 'asc'] as const).map((way): Order => ({ sort: each, order: way })),
  );
  const nameOf = (choice: Order): string => `${choice.sort} ${choice.order}`;
  return (
    <SelectField
      class="filter-sort"
      label={<span class="visually-hidden">{texts('links.sort')}</span>}
      aria-describedby={ranksSome({ sort, order }) ? SORT_HINT_ID : undefined}
      value={nameOf({ sort, order })}
      options={choices.map((choice) => [nameOf(choice), texts(ORDER_LABELS[choice.sort][choice.order])])}
      onChoose={(name) => onChange(choices.find((choice) => nameOf(choice) === name) ?? {})}
    />
  );
}

type StateProps = { states: LinkFilter['states']; onChange(states: LinkFilter['states']): void };

/** The states that are shown; none chosen shows all. */
function StateField({ states, onChange }: StateProps) {
  const { t } = useI18n();
  return (
    <fieldset class="bare filter-states">
      <legend class="visually-hidden">{t('column.status')}</legend>
      <div class="choice">
        {SHOWN_STATES.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={states.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(SHOWN_STATES.filter((each) => (each === name ? checked : states.includes(each))))
              }
            />
            <span>{t(LINK_STATE_LABELS[name])}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type MoreProps = Pick<Props, 'hasOwners' | 'suggestions'> & { draft: LinkFilter } & ChangeProps & TypeProps;

function MoreFilters({ draft, hasOwners, suggestions, onChange, ...typing }: MoreProps) {
  const { t } = useI18n();
  return (
    <>
      <TypeField type={draft.type} onChange={onChange} />
      <DayRange
        id="link-dates"
        days={draft}
        labels={DAY_LABELS}
        problem={findReversal(draft)}
        onChange={onChange}
      />
      <WordField name="label" label={t('label')} draft={draft} {...typing} />
      <WordField name="tag" label={t('tag')} draft={draft} values={suggestions.tag} {...typing} />
      {hasOwners && <OwnerField draft={draft} suggestions={suggestions} onChange={onChange} {...typing} />}
    </>
  );
}

function TypeField({ type, onChange }: { type: LinkFilter['type'] } & ChangeProps) {
  const texts = useListTexts();
  return (
    <SelectField
      class=""
      label={<span>{texts('links.type')}</span>}
      value={type}
      options={[
        ['', texts('links.allTypes')],
        ['REDIRECT', texts('links.urls')],
        ['DOWNLOAD', texts('links.files')],
        ['REQUEST', texts('links.requests')],
      ]}
      onChoose={(value) => onChange({ type: LINK_TYPES.find((type) => type === value) ?? '' })}
    />
  );
}

type WordProps = {
  name: 'label' | 'tag' | 'owner';
  label: string;
  draft: LinkFilter;
  values?: string[];
} & TypeProps;

/** A filter for one exact text. */
function WordField({ name, label, draft, values = [], onType, onLeave }: WordProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="text"
        autoComplete="off"
        spellcheck={false}
        list={`${name}-values`}
        value={draft[name]}
        onInput={({ currentTarget: { value } }) => onType({ [name]: value })}
        onChange={onLeave}
      />
      <datalist id={`${name}-values`}>
        {values.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </label>
  );
}

/** The name of an owner, or the links without an owner: a link has one or the other. */
function OwnerField({ draft, suggestions, onChange, onType, onLeave }: Omit<MoreProps, 'hasOwners'>) {
  const { t } = useI18n();
  return (
    <>
      <WordField
        name="owner"
        label={t('column.owner')}
        draft={draft}
        values={suggestions.owner}
        onType={(part) => onType({ ...part, ownerKind: '' })}
        onLeave={onLeave}
      />
      <label class="check filter-check">
        <input
          type="checkbox"
          checked={draft.ownerKind !== ''}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ owner: '', ownerKind: checked ? 'ANONYMOUS' : '' })
          }
        />
        <span>{t('links.noOwner')}</span>
      </label>
    </>
  );
}
