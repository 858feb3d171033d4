import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';

/** The first and the last day, such as `2026-06-15`, or empty. */
export type Days = { from: string; to: string };

type Props = {
  /** Unique on the page. */
  id: string;
  days: Days;
  labels: Record<keyof Days, Extract<MessageKey, `${string}.${'from' | 'to'}`>>;
  problem: 'range.missing' | 'range.reversed' | null;
  onChange(part: Partial<Days>): void;
};

/** The fields for the first and the last day, with the error of both. */
export function DayRange({ id, days, labels, problem, onChange }: Props) {
  const { t } = useI18n();
  const errorId = `${id}-error`;
  return (
    <>
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          <span>{t(labels[end])}</span>
          <input
            type="date"
            value={days[end]}
            onInput={({ currentTarget: { value } }) => onChange({ [end]: value })}
            {...(end === 'to' && problem && { 'aria-invalid': true, 'aria-describedby': errorId })}
          />
        </label>
      ))}
      {problem && (
        <p class="field-error" id={errorId} role="alert">
          {t(problem)}
        </p>
      )}
    </>
  );
}

/** Returns the problem of days of which each may be empty. */
export function findReversal({ from, to }: Days): 'range.reversed' | null {
  return from !== '' && to !== '' && from > to ? 'range.reversed' : null;
}
