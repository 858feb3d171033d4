import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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
type RangeProps = Props & {
  /** Whose links are counted. */
  whose: string;
  children: ComponentChildren;
};

/** The choices of the links and of the time range. On a phone they are one line, which opens them. */
export function RangeChoice({ whose, children, ...choice }: RangeProps) {
  const labelOf = useRangeLabel();
  const [isNarrow] = useState(() => matchMedia('(width <= 40rem)').matches);
  const choices = (
    <div class="range">
      {children}
      <Ranges {...choice} />
    </div>
  );
  if (!isNarrow) return choices;
  return (
    <details class="range-fold">
      <summary>{`${whose} · ${labelOf(choice.range.name)}`}</summary>
      {choices}
    </details>
  );
}

function useRangeLabel() {
  const { t, format } = useI18n();
  return (name: RangeName): string => {
    if (name === 'dates') return t('range.dates');
    const [value, unit] = RANGE_LENGTHS[name];
    return format.amount(value, unit);
  };
}

/** The choice of the unit of a chart, where there are several. */
export function UnitChoice({ range, onChoose }: Props) {
  const { t } = useI18n();
  const units = findProblem(range) ? [] : unitsOf(range);
  if (units.length < 2) return null;
  return (
    <div class="board-wide">
      <Choice
        legend={t('unit.legend')}
        name="unit"
        values={units}
        value={range.unit}
        labelOf={(unit) => t(UNIT_LABELS[unit])}
        onChoose={(unit) => onChoose({ ...range, unit })}
      />
    </div>
  );
}

function Ranges({ range, onChoose }: Props) {
  const { t } = useI18n();
  const labelOf = useRangeLabel();
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
