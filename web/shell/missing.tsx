import type { ComponentChildren } from 'preact';
import { LOCK } from '../../src/common/icons.ts';
import { Icon } from './icon.tsx';

type MissingProps = { title: string; text: string; icon?: string; children?: ComponentChildren };

/** Stands in the place of a page, or of a part of it, that the user may not use or that does not exist. */
export function Missing({ title, text, icon = LOCK, children }: MissingProps) {
  return (
    <section class="card column card-wide missing">
      <Icon path={icon} />
      <h1>{title}</h1>
      <p class="soft">{text}</p>
      {children}
    </section>
  );
}

type NothingYetProps = { title: string; icon: string; children: ComponentChildren };

/** Stands in the place of an empty list. */
export function NothingYet({ title, icon, children }: NothingYetProps) {
  return (
    <section class="card column nothing-yet">
      <Icon path={icon} />
      <h2>{title}</h2>
      {children}
    </section>
  );
}
