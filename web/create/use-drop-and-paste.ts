import { useEffect, useRef, useState } from 'preact/hooks';
import { type ChosenFile, toChosenFiles } from './chosen-files.ts';
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
    const { signal } = controller;
    const on = createHandlers(setDraggedOver, latest);
    document.addEventListener('dragenter', on.dragEnter, { signal });
    document.addEventListener('dragleave', on.dragLeave, { signal });
    document.addEventListener('dragover', accept, { signal });
    document.addEventListener('drop', on.drop, { signal });
    document.addEventListener('paste', on.paste, { signal });
    return () => controller.abort();
  }, [isEnabled]);
  return isDraggedOver;
}

function createHandlers(setDraggedOver: (isOver: boolean) => void, latest: { current: Handlers }) {
  // A nested element is entered before the outer one is left.
  let depth = 0;
  const takeFiles = (files: ChosenFile[]): void => {
    if (files.length > 0) latest.current.onSource({ kind: 'FILES', files, name: '' });
  };
  const takeUrl = (data: DataTransfer): boolean => {
    const text = (data.getData('text/uri-list') || data.getData('text/plain')).trim();
    const [line = ''] = text.split(/\r?\n/);
    if (line !== '') latest.current.onSource({ kind: 'URL', text: line });
    return line !== '';
  };
  return {
    dragEnter(event: DragEvent): void {
      depth += 1;
      setDraggedOver(accept(event));
    },
    dragLeave(): void {
      depth = Math.max(0, depth - 1);
      if (depth === 0) setDraggedOver(false);
    },
    drop(event: DragEvent): void {
      depth = 0;
      setDraggedOver(false);
      const { dataTransfer } = event;
      if (!accept(event) || !dataTransfer) return;
      if (dataTransfer.files.length > 0)
        readDropped(dataTransfer).then(takeFiles, () => latest.current.onUnreadable());
      else takeUrl(dataTransfer);
    },
    paste(event: ClipboardEvent): void {
      const { clipboardData, target } = event;
      if (!clipboardData) return;
      const files = toChosenFiles(clipboardData.files);
      const isTaken = files.length > 0 || (!isTextField(target) && takeUrl(clipboardData));
      if (isTaken) event.preventDefault();
      takeFiles(files);
    },
  };
}

/** Reads what was dropped: files, and those in folders. Must be called before the event ends. */
async function readDropped(data: DataTransfer): Promise<ChosenFile[]> {
  const entries = Array.from(data.items, (item) => item.webkitGetAsEntry());
  const files = toChosenFiles(data.files);
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  const { readEntries } = await import('./dropped-folders.ts');
  return readEntries(entries.filter((entry) => entry !== null));
}

/** Prevents the browser from opening a file dropped outside the form, which would lose the form's contents. */
export function preventFileNavigation(): void {
  for (const name of ['dragover', 'drop'] as const) {
    document.addEventListener(name, (event) => {
      if (hasType(event.dataTransfer, 'Files')) event.preventDefault();
    });
  }
}

/** Returns true if the page accepts the dragged data, and then prevents the browser from handling it. */
function accept(event: DragEvent): boolean {
  const { dataTransfer, target } = event;
  const isText = hasType(dataTransfer, 'text/uri-list') || hasType(dataTransfer, 'text/plain');
  const isAccepted = hasType(dataTransfer, 'Files') || (isText && !isTextField(target));
  if (isAccepted) event.preventDefault();
  return isAccepted;
}

function hasType(data: DataTransfer | null, type: string): boolean {
  return data?.types.includes(type) === true;
}

/** Returns whether an element is a text field. Text dropped on one, or pasted into it, belongs to that field. */
function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type))
  );
}
