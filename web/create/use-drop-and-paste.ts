import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChosenSource } from './use-source.ts';

/** Takes files and URLs dropped or pasted anywhere on the page. Returns true while one is dragged over it. */
export function useDropAndPaste(isEnabled: boolean, onSource: (chosen: ChosenSource) => void): boolean {
  const [isDraggedOver, setDraggedOver] = useState(false);
  const latest = useRef(onSource);
  latest.current = onSource;
  useEffect(() => {
    if (!isEnabled) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const on = createHandlers(setDraggedOver, (chosen) => latest.current(chosen));
    document.addEventListener('dragenter', on.dragEnter, { signal });
    document.addEventListener('dragleave', on.dragLeave, { signal });
    document.addEventListener('dragover', accept, { signal });
    document.addEventListener('drop', on.drop, { signal });
    document.addEventListener('paste', on.paste, { signal });
    return () => controller.abort();
  }, [isEnabled]);
  return isDraggedOver;
}

function createHandlers(setDraggedOver: (isOver: boolean) => void, onSource: (chosen: ChosenSource) => void) {
  // A nested element is entered before the outer one is left.
  let depth = 0;
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
      const chosen = accept(event) && readSource(event.dataTransfer);
      if (chosen) onSource(chosen);
    },
    paste(event: ClipboardEvent): void {
      const chosen = readSource(event.clipboardData);
      if (!chosen || (chosen.source.kind === 'URL' && isTextField(event.target))) return;
      event.preventDefault();
      onSource(chosen);
    },
  };
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

function readSource(data: DataTransfer | null): ChosenSource | undefined {
  const [file, ...others] = data?.files ?? [];
  if (file) return { source: { kind: 'FILE', file }, isOneOfMany: others.length > 0 };
  const text = (data?.getData('text/uri-list') || data?.getData('text/plain') || '').trim();
  const [line = ''] = text.split(/\r?\n/);
  return line === '' ? undefined : { source: { kind: 'URL', text: line }, isOneOfMany: false };
}

/** Returns whether an element is a text field. Text dropped on one, or pasted into it, belongs to that field. */
function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type))
  );
}
