import { useEffect, useRef, useState } from 'preact/hooks';
import type { Source } from './draft.ts';

/** Takes what is dropped or pasted anywhere on the page. Gives whether something is being dragged over it. */
export function useDropAndPaste(isTaking: boolean, onTake: (source: Source) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onTake);
  take.current = onTake;

  useEffect(() => {
    if (!isTaking) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    // Entering an element inside another comes before leaving that one.
    let depth = 0;
    document.addEventListener(
      'dragenter',
      (event) => {
        depth += 1;
        setOver(accept(event));
      },
      { signal },
    );
    document.addEventListener(
      'dragleave',
      () => {
        depth = Math.max(0, depth - 1);
        if (depth === 0) setOver(false);
      },
      { signal },
    );
    document.addEventListener('dragover', accept, { signal });
    document.addEventListener(
      'drop',
      (event) => {
        depth = 0;
        setOver(false);
        const source = accept(event) && sourceIn(event.dataTransfer);
        if (source) take.current(source);
      },
      { signal },
    );
    document.addEventListener(
      'paste',
      (event) => {
        const source = sourceIn(event.clipboardData);
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

/** A browser leaves the page for a file that is dropped where nothing takes it, and what was typed is lost. */
export function preventFileNavigation(): void {
  for (const name of ['dragover', 'drop'] as const) {
    document.addEventListener(name, (event) => {
      if (holds(event.dataTransfer, 'Files')) event.preventDefault();
    });
  }
}

/** Gives whether what is dragged is for the page, and if so keeps the browser from what it would do with it. */
function accept(event: DragEvent): boolean {
  const { dataTransfer, target } = event;
  const isText = holds(dataTransfer, 'text/uri-list') || holds(dataTransfer, 'text/plain');
  const isTaken = holds(dataTransfer, 'Files') || (isText && !isField(target));
  if (isTaken) event.preventDefault();
  return isTaken;
}

function holds(data: DataTransfer | null, type: string): boolean {
  return data?.types.includes(type) === true;
}

function sourceIn(data: DataTransfer | null): Source | undefined {
  const [file] = data?.files ?? [];
  if (file) return { kind: 'FILE', file };
  const text = (data?.getData('text/uri-list') || data?.getData('text/plain') || '').trim();
  const [line = ''] = text.split(/\r?\n/);
  return line === '' ? undefined : { kind: 'URL', text: line };
}

/** Text that is pasted into a field, or dropped on it, belongs there. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type))
  );
}
