import { findProblem, RANGES, type Range, type RangeName, unitsOf } from '../charts/range.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { PeriodUnit } from '../service/contract.ts';
import { Choice } from '../shell/choice.tsx';
import { DayRange } from '../shell/day-range.tsx';

const RANGE_LENGTHS = { day: [24, 'hour'], week: [7, 'day'], month: [30, 'day'], year: [1, 'year'] } as const;
const UNIT_LABELS = { hour: 'unit.hour', day: 'unit.day' } as const satisfies Record<PeriodUnit, MessageKey>;
const DATE_LABELS = { from: 'range.from', to: 'range.to' } as const;

type Props = { range: Range; onChoose(range: Range): void };

/** The choice of the time range and of its unit. */
export function RangeChoice({ range, onChoose }: Props) {
  const { t, format } = useI18n();
  const labelOf = (name: RangeName): string => {
    if (name === 'dates') return t('range.dates');
    const [value, unit] = RANGE_LENGTHS[name];
    return format.amount(value, unit);
  };
  const units = findProblem(range) ? [] : unitsOf(range);
  return (
    <>
      <Choice
        legend={t('range.legend')}
        name="range"
        values={RANGES}
        value={range.name}
        labelOf={labelOf}
        onChoose={(name) => onChoose({ ...range, name })}
      />
      {units.length > 1 && (
        <Choice
          legend={t('unit.legend')}
          name="unit"
          values={units}
          value={range.unit}
          labelOf={(unit) => t(UNIT_LABELS[unit])}
          onChoose={(unit) => onChoose({ ...range, unit })}
        />
      )}
      {range.name === 'dates' && (
        <div class="row range-dates">
          <DayRange
            id="range"
            days={range}
            labels={DATE_LABELS}
            problem={findProblem(range)}
            onChange={(part) => onChoose({ ...range, ...part })}
          />
        </div>
      )}
    </>
  );
}
