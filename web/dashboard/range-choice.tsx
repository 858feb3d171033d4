import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { PeriodUnit } from '../service/statistics.ts';
import { Choice } from '../shell/choice.tsx';
import { faultOf, RANGES, type Range, type RangeFault, type RangeName, unitsOf } from './range.ts';

const RANGE_LABELS = {
  day: 'range.day',
  week: 'range.week',
  month: 'range.month',
  year: 'range.year',
  dates: 'range.dates',
} as const satisfies Record<RangeName, MessageKey>;
const UNIT_LABELS = { hour: 'unit.hour', day: 'unit.day' } as const satisfies Record<PeriodUnit, MessageKey>;
const FAULTS = { MISSING: 'range.missing', REVERSED: 'range.reversed' } as const satisfies Record<
  RangeFault,
  MessageKey
>;

/** What time the figures are of, and how it is divided. */
export function RangeChoice({ range, onChoose }: { range: Range; onChoose(range: Range): void }) {
  const { t } = useI18n();
  const fault = faultOf(range);
  const units = fault ? [] : unitsOf(range);
  return (
    <div class="range">
      <Choice
        legend={t('range.legend')}
        name="range"
        values={RANGES}
        value={range.name}
        labelOf={(name) => t(RANGE_LABELS[name])}
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
        <div class="range-dates">
          <DateField
            label={t('range.from')}
            value={range.from}
            onInput={(from) => onChoose({ ...range, from })}
          />
          <DateField
            label={t('range.to')}
            value={range.to}
            onInput={(to) => onChoose({ ...range, to })}
            fault={fault}
          />
          {fault && (
            <p class="field-error" id="range-fault" role="alert">
              {t(FAULTS[fault])}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function DateField({
  label,
  value,
  fault,
  onInput,
}: {
  label: string;
  value: string;
  fault?: RangeFault | null;
  onInput(value: string): void;
}) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="date"
        value={value}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? 'range-fault' : undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
