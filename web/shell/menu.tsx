import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MORE } from '../../src/common/icons.ts';
import { Icon } from './icon.tsx';

export type MenuItem = { label: string } & ({ href: string } | { onChoose(): void });

type Props = {
  /** Names the menu for screen readers, and is shown where there is no `text`. */
  label: string;
  /** Shown in the button instead of three dots. */
  text?: string;
  items: MenuItem[];
};

/** A button that opens a menu. The browser closes it on Escape and on a press elsewhere, and returns the focus. */
export function Menu({ label, text, items }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  // The items are there only while they are shown: a list has hundreds of menus.
  useLayoutEffect(() => {
    if (isOpen) itemsOf(list.current)[0]?.focus();
  }, [isOpen]);
  return (
    <>
      <button
        type="button"
        class="button button-quiet menu-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          event.currentTarget.click();
        }}
      >
        {text ?? <Icon path={MORE} />}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onToggle={({ newState }) => {
          // Closing and opening at once is one event, after which the items are still there.
          if (newState === 'open' && isOpen) itemsOf(list.current)[0]?.focus();
          setOpen(newState === 'open');
        }}
        onKeyDown={moveFocus}
      >
        {isOpen &&
          items.map((item) => (
            <Item key={item.label} item={item} onChoose={() => list.current?.hidePopover()} />
          ))}
      </div>
    </>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose(): void }) {
  const common = { role: 'menuitem' as const, tabIndex: -1, children: item.label };
  if ('href' in item) return <a {...common} href={item.href} />;
  const choose = (): void => {
    // A dialog that opens next returns the focus to where it is then.
    onChoose();
    item.onChoose();
  };
  return <button {...common} type="button" onClick={choose} />;
}

function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

/** Moves the focus as menus do: by arrows, to the ends, and to the next item that begins with a letter. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const { key, currentTarget } = event;
  const items = itemsOf(currentTarget);
  const index = items.findIndex((item) => item.matches(':focus'));
  if (key === 'Tab') currentTarget.hidePopover();
  const found = [...items.slice(index + 1), ...items.slice(0, index + 1)].find((item) =>
    item.textContent.toLocaleLowerCase().startsWith(key.toLocaleLowerCase()),
  );
  const next = {
    ArrowDown: items[index + 1] ?? items[0],
    ArrowUp: items.at(index - 1),
    Home: items[0],
    End: items.at(-1),
  };
  const target = Object.entries(next).find(([name]) => name === key)?.[1] ?? found;
  if (!target) return;
  event.preventDefault();
  event.stopPropagation();
  target.focus();
}
