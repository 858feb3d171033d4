import { type ChosenFile, toChosenFiles } from './chosen-files.ts';

/** What takes dropped and pasted things. Without `onUrl`, only files are taken. */
export type DropHandlers = {
  onFiles(files: ChosenFile[]): void;
  onUrl?(text: string): void;
  onUnreadable(): void;
  onDraggedOver(isOver: boolean): void;
  /** Reads dropped files and folders. */
  readFolders(entries: FileSystemEntry[]): Promise<ChosenFile[]>;
};

/** Takes files, folders and URLs dropped or pasted anywhere on the page, until `signal` is aborted. */
export function takeDropped(handlers: DropHandlers, signal?: AbortSignal): void {
  const on = createListeners(handlers);
  const options = signal ? { signal } : {};
  document.addEventListener('dragenter', on.dragEnter, options);
  document.addEventListener('dragleave', on.dragLeave, options);
  document.addEventListener('dragover', on.dragOver, options);
  document.addEventListener('drop', on.drop, options);
  document.addEventListener('paste', on.paste, options);
}

function createListeners({ onFiles, onUrl, onUnreadable, onDraggedOver, readFolders }: DropHandlers) {
  // A nested element is entered before the outer one is left.
  let depth = 0;
  const takeFiles = (files: ChosenFile[]): void => {
    if (files.length > 0) onFiles(files);
  };
  const takeUrl = (data: DataTransfer): boolean => {
    const text = (data.getData('text/uri-list') || data.getData('text/plain')).trim();
    const [line = ''] = text.split(/\r?\n/);
    if (line !== '') onUrl?.(line);
    return line !== '';
  };
  /** Returns true if the page accepts the dragged data, and then prevents the browser from handling it. */
  const accept = (event: DragEvent): boolean => {
    const { dataTransfer, target } = event;
    const isText = hasType(dataTransfer, 'text/uri-list') || hasType(dataTransfer, 'text/plain');
    const isAccepted = hasType(dataTransfer, 'Files') || (onUrl && isText && !isTextField(target)) === true;
    if (isAccepted) event.preventDefault();
    return isAccepted;
  };
  return {
    dragEnter(event: DragEvent): void {
      depth += 1;
      onDraggedOver(accept(event));
    },
    dragLeave(): void {
      depth = Math.max(0, depth - 1);
      if (depth === 0) onDraggedOver(false);
    },
    dragOver: accept,
    drop(event: DragEvent): void {
      depth = 0;
      onDraggedOver(false);
      const { dataTransfer } = event;
      if (!accept(event) || !dataTransfer) return;
      if (dataTransfer.files.length > 0) readDropped(dataTransfer, readFolders).then(takeFiles, onUnreadable);
      else takeUrl(dataTransfer);
    },
    paste(event: ClipboardEvent): void {
      const { clipboardData, target } = event;
      if (!clipboardData) return;
      const files = toChosenFiles(clipboardData.files);
      const isTaken = files.length > 0 || (onUrl && !isTextField(target) && takeUrl(clipboardData));
      if (isTaken) event.preventDefault();
      takeFiles(files);
    },
  };
}

/** Reads what was dropped: files, and those in folders. Must be called before the event ends. */
async function readDropped(
  data: DataTransfer,
  readFolders: DropHandlers['readFolders'],
): Promise<ChosenFile[]> {
  const entries = Array.from(data.items, (item) => item.webkitGetAsEntry());
  const files = toChosenFiles(data.files);
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  return readFolders(entries.filter((entry) => entry !== null));
}

/** Prevents the browser from opening a file dropped outside the form, which would lose the form's contents. */
export function preventFileNavigation(): void {
  for (const name of ['dragover', 'drop'] as const) {
    document.addEventListener(name, (event) => {
      if (hasType(event.dataTransfer, 'Files')) event.preventDefault();
    });
  }
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
