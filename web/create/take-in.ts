import { useEffect, useRef, useState } from 'preact/hooks';
import type { Source } from './draft.ts';

/** Takes what is dropped or pasted anywhere on the page. Gives whether something is being dragged over it. */
export function useTakeIn(isTaking: boolean, onTake: (source: Source) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onTake);
  take.current = onTake;

  useEffect(() => {
    if (!isTaking) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    // Entering an element inside another comes before leaving that one.
    let depth = 0;
    const count = (change: number) => {
      depth = Math.max(0, depth + change);
      setOver(depth > 0);
    };
    const guard = (act: (event: DragEvent) => void) => (event: DragEvent) => {
      if (!holdsSource(event.dataTransfer)) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener(
      'dragenter',
      guard(() => count(1)),
      { signal },
    );
    document.addEventListener(
      'dragleave',
      guard(() => count(-1)),
      { signal },
    );
    document.addEventListener(
      'dragover',
      guard(() => undefined),
      { signal },
    );
    document.addEventListener(
      'drop',
      guard(({ dataTransfer }) => {
        depth = 0;
        setOver(false);
        const source = sourceIn(dataTransfer);
        if (source) take.current(source);
      }),
      { signal },
    );
    document.addEventListener(
      'paste',
      (event) => {
        const source = sourceIn(event.clipboardData);
        // Text that is pasted into a field belongs there.
        if (!source || (source.kind === 'URL' && isField(event.target))) return;
        event.preventDefault();
        take.current(source);
      },
      { signal },
    );
    return () => listening.abort();
  }, [isTaking]);

  return isOver;
}

function holdsSource(data: DataTransfer | null): boolean {
  return data?.types.some((type) => ['Files', 'text/uri-list', 'text/plain'].includes(type)) === true;
}

function sourceIn(data: DataTransfer | null): Source | undefined {
  const [file] = data?.files ?? [];
  if (file) return { kind: 'FILE', file };
  const text = (data?.getData('text/uri-list') || data?.getData('text/plain') || '').trim();
  const [line = ''] = text.split(/\r?\n/);
  return line === '' ? undefined : { kind: 'URL', text: line };
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
