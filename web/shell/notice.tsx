import type { ComponentChildren } from 'preact';
import { LOCK } from '../../src/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from './icon.tsx';

/** Reports what has just happened, and offers to undo it. Without a text it is empty, so that a reader announces it. */
export function Notice({ text, onUndo }: { text: string | undefined; onUndo?: (() => void) | undefined }) {
  const { t } = useI18n();
  return (
    <div class="notice" data-shown={text ? '' : undefined}>
      <p role="status">{text}</p>
      {text && onUndo && (
        <button type="button" class="button button-quiet" onClick={onUndo}>
          {t('undo')}
        </button>
      )}
    </div>
  );
}

type MissingProps = { title: string; text: string; icon?: string };

/** Stands in the place of a page, or of a part of it, that the user may not use or that does not exist. */
export function Missing({ title, text, icon = LOCK }: MissingProps) {
  return (
    <section class="card missing">
      <Icon path={icon} />
      <h1>{title}</h1>
      <p class="soft">{text}</p>
    </section>
  );
}

type NothingYetProps = { title: string; icon: string; children: ComponentChildren };

/** Stands in the place of an empty list. */
export function NothingYet({ title, icon, children }: NothingYetProps) {
  return (
    <section class="card nothing-yet">
      <Icon path={icon} />
      <h2>{title}</h2>
      {children}
    </section>
  );
}
