import { LOCK } from '../../src/icons.ts';
import { Icon } from './icon.tsx';

/** Stands in the place of a part of a page that the key or the user may not use. */
export function MissingScope({ title, text }: { title: string; text: string }) {
  return (
    <section class="card missing-scope">
      <Icon path={LOCK} />
      <h1>{title}</h1>
      <p class="soft">{text}</p>
    </section>
  );
}
