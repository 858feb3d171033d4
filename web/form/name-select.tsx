import type { ComponentChildren } from 'preact';

type SelectProps = {
  value: string;
  names: readonly string[];
  /** The label of the choice of none. */
  none: string;
  onChoose(value: string): void;
};

type Attributes = { id?: string; class?: string; 'aria-describedby'?: string };

/** A choice of one of some names, or of none. */
export function NameSelect({ value, names, none, onChoose, ...attributes }: SelectProps & Attributes) {
  return (
    <select {...attributes} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      <option value="">{none}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A choice of a name with its label above, and an explanation below. */
export function NameField(props: SelectProps & Attributes & { label: string; children?: ComponentChildren }) {
  const { label, children, ...select } = props;
  return (
    <label class="stacked" for={select.id}>
      {label}
      <NameSelect {...select} />
      {children}
    </label>
  );
}
