import { formatBytes } from '../../../src/common/format.ts';
import { addFiles, type ChosenFile, toChosenFiles, totalBytesOf } from '../../files/chosen-files.ts';
import { readEntries } from '../../files/dropped-folders.ts';
import { takeDropped } from '../../files/take-dropped.ts';

/**
 * Lets a visitor choose files in several steps, or drop them anywhere on the page, and lists them. Without this script, the
 * form has the field of the browser alone. Returns what is chosen.
 *
 * @param onChosen called with all of them after each choice
 */
export function prepareChoice(
  form: HTMLFormElement,
  onChosen: (files: readonly ChosenFile[]) => void,
): () => readonly ChosenFile[] {
  const input = form.querySelector<HTMLInputElement>('[type=file]');
  const area = form.querySelector<HTMLElement>('.drop');
  const status = form.querySelector<HTMLElement>('[role=status]');
  if (!input || !area) return () => [];
  let chosen: ChosenFile[] = [];
  const isSending = (): boolean => form.querySelector('[aria-disabled]') !== null;
  const set = (files: ChosenFile[]): void => {
    if (isSending()) return;
    chosen = files;
    input.required = files.length === 0;
    input.dispatchEvent(new Event('input', { bubbles: true })); // the error of what was chosen before has ended
    showFiles(form, files, (file) => {
      set(chosen.filter((each) => each !== file));
      input.focus();
    });
    onChosen(files);
  };
  const add = (files: ChosenFile[]): void =>
    set(input.multiple ? addFiles(chosen, files) : files.slice(0, 1));

  input.addEventListener('change', () => {
    const files = toChosenFiles(input.files ?? []);
    input.value = ''; // the same file can be chosen again after it was removed
    if (files.length > 0) add(files);
  });
  takeDropped({
    onFiles: add,
    onUnreadable: () => status?.replaceChildren(form.dataset['unreadable'] ?? ''),
    onDraggedOver: (isOver) => area.classList.toggle('over', isOver),
    readFolders: readEntries,
  });
  area.classList.add('box');
  for (const part of area.querySelectorAll('p')) part.hidden = false;
  add(toChosenFiles(input.files ?? [])); // a browser keeps them where the page is loaded again
  return () => chosen;
}

/** Lists files with their sizes, each with a button that removes it, and the size of all. */
function showFiles(form: HTMLFormElement, files: ChosenFile[], onRemove: (file: ChosenFile) => void): void {
  const { lang } = document.documentElement;
  const row = form.querySelector('template')?.content.firstElementChild;
  const items = files.map((chosen) => {
    const item = row?.cloneNode(true) as HTMLElement; // the page has it
    item.querySelector('bdi')?.append(chosen.path);
    item.querySelector('span')?.append(formatBytes(chosen.file.size, lang));
    const button = item.querySelector('button');
    if (button) button.ariaLabel += `: ${chosen.path}`;
    button?.addEventListener('click', () => onRemove(chosen));
    return item;
  });
  form.querySelector('.files')?.replaceChildren(...items);
  const size = formatBytes(totalBytesOf(files), lang);
  const { chosen = '', files: several = '' } = form.dataset;
  const all = `${several.replace('{count}', files.length.toLocaleString(lang))}, ${size}`;
  const text = files.length > 1 ? chosen.replace('{chosen}', all) : '';
  form.querySelector('[data-total]')?.replaceChildren(text);
}
