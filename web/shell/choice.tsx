import type { ComponentChildren } from 'preact';

type Props<Value extends string> = {
  legend: string;
  name: string;
  values: readonly Value[];
  value: Value;
  labelOf(value: Value): string;
  onChoose(value: Value): void;
  /** The id of the error that the chosen value caused, if any. */
  errorId?: string | undefined;
  children?: ComponentChildren;
};

/** Radio buttons, shown as one row of keys. */
export function Choice<Value extends string>(props: Props<Value>) {
  return (
    <fieldset class="option">
      <legend>{props.legend}</legend>
      <div class="option-body">
        <div class="choice" {...toErrorAttributes(props)}>
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

/** Returns attributes for a group of radio buttons: neither a fieldset nor one button can be invalid. */
function toErrorAttributes({ legend, errorId }: { legend: string; errorId?: string | undefined }) {
  return errorId === undefined
    ? {}
    : {
        role: 'radiogroup' as const,
        'aria-label': legend,
        'aria-invalid': true,
        'aria-describedby': errorId,
      };
}

type CheckProps = {
  label: string;
  hint?: string;
  isChecked: boolean;
  isDisabled?: boolean;
  onCheck(isChecked: boolean): void;
  class?: string;
};

type ChecksProps<Value extends string> = {
  legend: string;
  values: readonly Value[];
  /** The values that are shown; a hidden one stays as it is. */
  offered?: readonly Value[];
  chosen: readonly Value[];
  checkOf(value: Value): Pick<CheckProps, 'label' | 'hint' | 'isDisabled'>;
  onChange(chosen: Value[]): void;
};

/** Check boxes for several of some values, such as the teams of a person. */
export function Checks<Value extends string>(props: ChecksProps<Value>) {
  const { legend, values, offered = values, chosen, checkOf, onChange } = props;
  if (offered.length === 0) return null;
  return (
    <fieldset class="bare checks">
      <legend>{legend}</legend>
      {offered.map((value) => (
        <Check
          key={value}
          {...checkOf(value)}
          isChecked={chosen.includes(value)}
          onCheck={(isChecked) =>
            onChange(values.filter((each) => (each === value ? isChecked : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}

/** A check box with a hint. */
export function Check({ label, hint, isChecked, isDisabled = false, onCheck, class: name = '' }: CheckProps) {
  return (
    <label class={`check ${name}`}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget: { checked } }) => onCheck(checked)}
      />
      <span>
        {label}
        <small class="soft">{hint}</small>
      </span>
    </label>
  );
}
