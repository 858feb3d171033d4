import { isShownText, type ReadEntry } from '../../../client/encryption/tar.ts';
import { type DecryptPage, find } from './decrypt-page.ts';
import type { chooseDestination, Destination, PickDestination, Saved } from './destination.ts';

type Choice = NonNullable<ReturnType<typeof chooseDestination>>;

/** Shows the texts among what was decrypted, saves the files, and shows them once all bytes are verified. */
export async function saveEntries(
  entries: AsyncIterable<ReadEntry>,
  choice: Choice,
  page: DecryptPage,
): Promise<void> {
  let destination = choice.kind === 'READY' ? await choice.open() : undefined;
  const saved: Saved[] = [];
  for await (const entry of entries) {
    if (isShownText(entry)) {
      showText(await new Response(entry.body).text());
      continue;
    }
    if (!entry.isFile) {
      await entry.body.cancel();
      continue;
    }
    if (choice.kind === 'PICKED') destination ??= await letPick(choice.pick, entry, page);
    page.progress.hidden = false;
    if (destination) saved.push(await destination.save(entry));
  }
  showSaved(saved, page);
}

/** Waits until the visitor has picked a place, by a button of its own: the names are known only now. */
async function letPick(
  pick: PickDestination,
  { name, sizeBytes: ofFirst, about }: ReadEntry,
  { texts, button, progress, say, sizeOf }: DecryptPage,
): Promise<Destination> {
  const shown = about?.files === 1 ? name : `${about?.files ?? ''} × …`;
  progress.hidden = true;
  say(texts.ready.replace('{name}', shown).replace('{size}', sizeOf(about?.sizeBytes ?? ofFirst)));
  button.textContent = texts.choose;
  button.removeAttribute('aria-disabled');
  for (;;) {
    await new Promise((resolve) => button.addEventListener('click', resolve, { once: true }));
    const destination = await pick({ files: about?.files ?? 0 }, name);
    if (!destination) continue;
    button.hidden = true;
    say('');
    return destination;
  }
}

function showText(text: string): void {
  find('#text').textContent = text;
  find('#decrypted-text').hidden = false;
}

function showSaved(saved: readonly Saved[], page: DecryptPage): void {
  page.progress.hidden = true;
  page.button.hidden = true;
  page.say(page.texts.done);
  const list = Object.assign(document.createElement('ul'), { className: 'files' });
  for (const { name, file } of saved) {
    const item = document.createElement('li');
    item.append(file ? saveButton(name, file, page) : name);
    list.append(item);
  }
  find('#decrypted').replaceChildren(list);
  find('#decrypted').hidden = saved.length === 0;
  const first = list.querySelector('button');
  if (saved.length === 1) first?.click();
  // The button that had the focus has disappeared.
  (first ?? document.querySelector<HTMLElement>('#decrypted-text:not([hidden]) pre') ?? find('h1')).focus();
}

/** Returns a button that saves a file again: only the browser knows how much of a file it has saved. */
function saveButton(name: string, file: Blob, { texts, say }: DecryptPage): HTMLButtonElement {
  const href = URL.createObjectURL(new Blob([file], { type: 'application/octet-stream' }));
  const link = Object.assign(document.createElement('a'), { href, download: name.split('/').at(-1) });
  const textContent = texts.save.replace('{name}', name);
  const save = Object.assign(document.createElement('button'), { className: 'button', textContent });
  save.addEventListener('click', () => {
    link.click();
    say(`${texts.done} ${texts.saving.replace('{name}', name)}`);
  });
  return save;
}
