import { useEffect, useState } from 'preact/hooks';
import type { SavedLink } from './saved-links.ts';

/** A link that was just hidden, and its place in the list. */
type HiddenLink = { link: SavedLink; index: number };

export type HideActions = {
  onHide(shortCode: string): void;
  onRestore(link: SavedLink, index: number): void;
};

/** Hides links from the list. The last one can be shown again. Each time the list takes the focus. */
export function useHiddenLink(links: SavedLink[], { onHide, onRestore }: HideActions, takeFocus: () => void) {
  const [hidden, setHidden] = useState<HiddenLink>();
  // Later than a dialog closes: while it is open, nothing else takes the focus.
  useEffect(() => {
    if (hidden) takeFocus();
  }, [hidden]);

  function hide(link: SavedLink): void {
    setHidden({ link, index: links.findIndex(({ shortCode }) => shortCode === link.shortCode) });
    onHide(link.shortCode);
  }
  function restore(): void {
    if (!hidden) return;
    takeFocus();
    setHidden(undefined);
    onRestore(hidden.link, hidden.index);
  }
  return { hidden: hidden?.link, hide, restore };
}
