import type { VNode } from 'preact';
import { Breakable } from './breakable.tsx';

/** A value longer than a time, such as a URL or a note, gets a row of its own: a column of a phone is narrower. */
const MAX_COLUMN_CHARACTERS = 32;

/** `isWide`: has a row of its own, however short the value is. */
export type Term = readonly [name: string, value: string | VNode, isWide?: boolean];

/** The terms of a link, as a list of names and values. */
export function Terms({ terms }: { terms: readonly Term[] }) {
  return (
    <dl class="terms">
      {terms.map(([name, value, isWide]) => (
        <div
          key={name}
          class={
            isWide || (typeof value === 'string' && value.length > MAX_COLUMN_CHARACTERS) ? 'wide' : undefined
          }
        >
          <dt class="soft small">{name}</dt>
          <dd>{typeof value === 'string' ? <Breakable text={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
