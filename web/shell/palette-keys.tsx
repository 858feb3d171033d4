import { useEffect, useState } from 'preact/hooks';
import { getItem } from '../service/browser-storage.ts';
import { lazy } from './lazy.tsx';

const LazyPalette = lazy(async () => (await import('./palette.tsx')).Palette);

/** The elements in which a single key is text. */
export const TYPING = 'input:not([type=checkbox]), textarea, select';

/** Opens the search box with commands: by Ctrl or Cmd with K, and by p unless the single keys are switched off. */
export function PaletteKeys() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (altKey || shiftKey || document.querySelector('dialog[open]')) return;
      const isText = target instanceof Element && target.closest(TYPING) !== null;
      const isSingle = !ctrlKey && !metaKey && !isText && getItem('postern.shortcuts') !== 'off';
      if (key.toLowerCase() === 'k' ? !(ctrlKey || metaKey) : key !== 'p' || !isSingle) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return isOpen ? <LazyPalette onClose={() => setOpen(false)} /> : null;
}
