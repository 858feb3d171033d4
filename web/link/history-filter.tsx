import { useI18n } from '../i18n/i18n.tsx';
import { type HistoryFilter, NO_FILTER } from '../service/history.ts';
import { resultChoices } from './result-labels.ts';

type Props = {
  filter: HistoryFilter;
  /** The API's text about an address that cannot be one. */
  addressError: string | undefined;
  onFilter(filter: HistoryFilter): void;
};

/** The choice of the entries that are shown: by result, by UTC days, and by address. */
export function FilterForm({ filter, addressError, onFilter }: Props) {
  const { t } = useI18n();
  const choices = resultChoices(t);
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(NO_FILTER);
  return (
    <form
      class="history-filter"
      noValidate
      aria-label={t('filter.title')}
      onSubmit={(event) => event.preventDefault()}
    >
      <label>
        <span>{t('filter.result')}</span>
        <select
          value={choices.find(({ results }) => results.join() === filter.results.join())?.name}
          onChange={({ currentTarget: { value } }) => {
            const results = choices.find(({ name }) => name === value)?.results ?? [];
            onFilter({ ...filter, results });
          }}
        >
          {choices.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          <span>{t(end === 'from' ? 'range.from' : 'range.to')}</span>
          <input
            type="date"
            value={filter[end]}
            onInput={({ currentTarget: { value } }) => onFilter({ ...filter, [end]: value })}
          />
        </label>
      ))}
      <label>
        <span>{t('column.address')}</span>
        <input
          type="text"
          inputMode="text"
          autoComplete="off"
          spellcheck={false}
          value={filter.address}
          onChange={({ currentTarget: { value } }) => onFilter({ ...filter, address: value.trim() })}
          {...(addressError !== undefined && {
            'aria-invalid': true,
            'aria-describedby': 'filter-address-error',
          })}
        />
      </label>
      {isFiltered && (
        <button type="button" class="button button-quiet" onClick={() => onFilter(NO_FILTER)}>
          {t('filter.clear')}
        </button>
      )}
      {addressError !== undefined && (
        <p class="field-error" id="filter-address-error" role="alert" lang="en">
          {addressError}
        </p>
      )}
    </form>
  );
}
