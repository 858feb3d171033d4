import type { ComponentChildren } from 'preact';

/** One of a few, each in sight: the browser's own radio buttons, drawn as one row of keys. */
export function Choice<Value extends string>({
  legend,
  name,
  values,
  value,
  labelOf,
  onChoose,
  children,
}: {
  legend: string;
  name: string;
  values: readonly Value[];
  value: Value;
  labelOf(value: Value): string;
  onChoose(value: Value): void;
  children?: ComponentChildren;
}) {
  return (
    <fieldset class="option">
      <legend>{legend}</legend>
      <div class="option-body">
        <div class="choice">
          {values.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name={name}
                value={each}
                checked={each === value}
                onChange={() => onChoose(each)}
              />
              <span>{labelOf(each)}</span>
            </label>
          ))}
        </div>
        {children}
      </div>
    </fieldset>
  );
}
