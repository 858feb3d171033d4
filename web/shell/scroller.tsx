import type { ComponentChildren } from 'preact';

/** Makes a scrolling element reachable with the keyboard. */
const FOCUSABLE = { tabIndex: 0 };

/** A named part of a page that scrolls by itself. */
export function Scroller({
  name,
  label,
  children,
}: {
  name: string;
  label: string;
  children: ComponentChildren;
}) {
  return (
    <section class={name} aria-label={label} {...FOCUSABLE}>
      {children}
    </section>
  );
}
