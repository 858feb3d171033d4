import { useEffect, useRef, useState } from 'preact/hooks';
import { takeDropped } from '../files/take-dropped.ts';
import type { Source } from './draft.ts';

type Handlers = { onSource(chosen: Source): void; onUnreadable(): void };

/** Takes files, folders and URLs dropped or pasted anywhere on the page. Returns true while one is dragged over it. */
export function useDropAndPaste(isEnabled: boolean, handlers: Handlers): boolean {
  const [isDraggedOver, setDraggedOver] = useState(false);
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    if (!isEnabled) return undefined;
    const controller = new AbortController();
    takeDropped(
      {
        onFiles: (files) => latest.current.onSource({ kind: 'FILES', files, name: '' }),
        onUrl: (text) => latest.current.onSource({ kind: 'URL', text }),
        onUnreadable: () => latest.current.onUnreadable(),
        onDraggedOver: setDraggedOver,
        readFolders: async (entries) => (await import('../files/dropped-folders.ts')).readEntries(entries),
      },
      controller.signal,
    );
    return () => controller.abort();
  }, [isEnabled]);
  return isDraggedOver;
}
