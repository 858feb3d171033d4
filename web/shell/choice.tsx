import type { ComponentChildren } from 'preact';

type Props<Value extends string> = {
  legend: string;
  name: string;
  values: readonly Value[];
  value: Value;
  labelOf(value: Value): string;
  onChoose(value: Value): void;
  /** Connects the choice to the error that the chosen value caused. */
  invalid?: { 'aria-invalid'?: boolean; 'aria-describedby'?: string };
  children?: ComponentChildren;
};

/** Radio buttons, shown as one row of keys. */
export function Choice<Value extends string>(props: Props<Value>) {
  return (
    <fieldset class="option" role="radiogroup" {...props.invalid}>
      <legend>{props.legend}</legend>
      <div class="option-body">
        <div class="choice">
          {props.values.map((value) => (
            <label key={value}>
              <input
                type="radio"
                name={props.name}
                value={value}
                checked={value === props.value}
                onChange={() => props.onChoose(value)}
              />
              <span>{props.labelOf(value)}</span>
            </label>
          ))}
        </div>
        {props.children}
      </div>
    </fieldset>
  );
}
