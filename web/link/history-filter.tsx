import { useLayoutEffect, useState } from 'preact/hooks';
import { SelectField } from '../form/select.tsx';
import { resultChoices } from '../history/result-labels.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { HistoryFilter } from '../service/history.ts';
import { DayRange, findReversal } from '../shell/day-range.tsx';

const DAY_LABELS = { from: 'filter.from', to: 'filter.to' } as const;

type Props = {
  filter: HistoryFilter;
  /** The API's text about an address that cannot be one. */
  addressError: string | undefined;
  onFilter(filter: HistoryFilter): void;
};

/** The choice of the entries that are shown: by result, by days, and by address. */
export function FilterForm({ filter, addressError, onFilter }: Props) {
  const { t } = useI18n();
  const [draft, setDraft] = useState(filter);
  // Before the next input of the user, which a later effect would undo.
  useLayoutEffect(() => setDraft(filter), [filter]);
  const change = (part: Partial<HistoryFilter>): void => {
    const changed = { ...draft, ...part };
    setDraft(changed);
    if (!findReversal(changed)) onFilter(changed);
  };
  return (
    <form
      class="card field-row history-filter"
      noValidate
      aria-label={t('filter.title')}
      onSubmit={(event) => event.preventDefault()}
    >
      <ResultSelect results={draft.results} onChoose={(results) => change({ results })} />
      <DayRange
        id="filter-dates"
        days={draft}
        labels={DAY_LABELS}
        problem={findReversal(draft)}
        onChange={change}
      />
      <label>
        <span>{t('column.address')}</span>
        <input
          type="text"
          inputMode="text"
          autoComplete="off"
          spellcheck={false}
          value={draft.address}
          onChange={({ currentTarget: { value } }) => change({ address: value.trim() })}
          {...(addressError !== undefined && {
            'aria-invalid': true,
            'aria-describedby': 'filter-address-error',
          })}
        />
      </label>
      {addressError !== undefined && (
        <p class="field-error" id="filter-address-error" role="alert" lang="en">
          {addressError.replace(/^./, (first) => first.toUpperCase()).replace(/[^.]$/, '$&.')}
        </p>
      )}
    </form>
  );
}

type Results = HistoryFilter['results'];

function ResultSelect({ results, onChoose }: { results: Results; onChoose(results: Results): void }) {
  const { t } = useI18n();
  const choices = resultChoices(t);
  return (
    <SelectField
      class=""
      label={<span>{t('filter.result')}</span>}
      value={choices.find((choice) => choice.results.join() === results.join())?.name}
      options={choices.map(({ name, label }) => [name, label])}
      onChoose={(value) => onChoose(choices.find(({ name }) => name === value)?.results ?? [])}
    />
  );
}
