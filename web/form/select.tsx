import type { ComponentChildren } from 'preact';

type Options = readonly (readonly [value: string, label: string])[];
type SelectProps = {
  value: string | undefined;
  options: Options;
  onChoose(value: string): void;
  id?: string;
  class?: string;
  'aria-describedby'?: string | undefined;
};

/** A choice of one of some values in a list that opens. */
export function Select({ options, onChoose, ...attributes }: SelectProps) {
  return (
    <select {...attributes} onChange={({ currentTarget: { value } }) => onChoose(value)}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Returns the options of names, behind that of none. People are shown by their display names. */
export function toOptions(
  none: string,
  names: readonly (string | { name: string; displayName: string })[],
): Options {
  const toOption = (each: (typeof names)[number]) =>
    typeof each === 'string' ? ([each, each] as const) : ([each.name, each.displayName] as const);
  return [['', none], ...names.map(toOption)];
}

type FieldProps = SelectProps & { label: ComponentChildren; children?: ComponentChildren };

/** A choice with its label above, and an explanation below. The class is that of the label. */
export function SelectField({ label, class: name = 'stacked', children, ...select }: FieldProps) {
  return (
    <label class={name} for={select.id}>
      {label}
      <Select {...select} />
      {children}
    </label>
  );
}
