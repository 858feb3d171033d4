import path from 'node:path/posix';
import { formatBytes } from '../../common/format.ts';
import type { FilePartInfo } from '../../core/model/link.ts';
import { readSetTitle } from '../../core/model/set-title.ts';
import type { ShownFile } from '../../core/use-cases/change/describe-link.ts';
import { type Html, html, NOTHING } from './page.ts';
import type { Visitor } from './visitor.ts';

// The files of a link, as the pages of a visitor list them.

/** Rows of a page of a set: about 30 KB. All files are in the ZIP. */
const ROWS_PER_PAGE = 200;
/** Rows of the confirmation page. */
const MAX_SHOWN = 10;

type File = Pick<FilePartInfo, 'fileName' | 'sizeBytes'>;

/** Renders the name and the size of the file, or those of a set and the number of its files. */
export function fileBox({ t, locale }: Visitor, { name, sizeBytes, fileCount }: ShownFile): Html {
  const size = formatBytes(sizeBytes, locale);
  const count = fileCount === undefined ? '' : `${t('files.count', { count: fileCount })}, `;
  const set = fileCount === undefined ? undefined : readSetTitle(name);
  const title = set ? t('files.named', { name: set.first, count: set.others }) : name;
  return html`<p class="box"><bdi>${title}</bdi>${count}${size}</p>`;
}

/** Renders the first names of a set, before it is opened. */
export function nameList(visitor: Visitor, files: readonly File[]): Html {
  const rows = files.slice(0, MAX_SHOWN).map((file) => row(visitor, file, html`<bdi>${file.fileName}</bdi>`));
  return list(visitor, rows, files.length - rows.length);
}

/**
 * Renders links to the files of a set, relative to the page of its lease: first those without a folder, then each folder.
 *
 * @param page from 1, of sets that have several
 */
export function fileLinks(visitor: Visitor, files: readonly File[], page: number): Html {
  const lastPage = Math.ceil(files.length / ROWS_PER_PAGE);
  const current = Math.min(Math.max(page, 1), lastPage);
  const first = (current - 1) * ROWS_PER_PAGE;
  const shown = files.slice(first, first + ROWS_PER_PAGE);
  const folders = Map.groupBy(shown.keys(), (index) => path.dirname(shown[index]?.fileName ?? ''));
  const rows = [...folders]
    .sort(([a], [b]) => Number(b === '.') - Number(a === '.'))
    .flatMap(([folder, indexes]) => [
      folder === '.' ? NOTHING : html`<li class="folder"><bdi>${folder}</bdi></li>\n`,
      ...indexes.map((index) => {
        const { fileName = '', sizeBytes = 0 } = shown[index] ?? {};
        const base = path.basename(fileName);
        const link = html`<a href="${first + index + 1}/${encodeURIComponent(base)}"><bdi>${base}</bdi></a>`;
        return row(visitor, { fileName, sizeBytes }, link);
      }),
    ]);
  return html`${list(visitor, rows, 0)}${lastPage > 1 ? pageLinks(visitor, current, lastPage) : NOTHING}`;
}

function pageLinks({ t }: Visitor, page: number, lastPage: number): Html {
  const [before, after] = [t('files.previous'), t('files.next')];
  const link = (to: number, text: string, rel: string): Html =>
    to < 1 || to > lastPage ? NOTHING : html`<a class="button" rel="${rel}" href="?page=${to}">${text}</a>`;
  const position = t('files.page', { page: String(page), last: String(lastPage) });
  return html`<nav aria-label="${position}"><p>${position}</p>${link(page - 1, before, 'prev')} ${link(page + 1, after, 'next')}</nav>`;
}

function row({ locale }: Visitor, { sizeBytes }: File, name: Html): Html {
  return html`<li>${name}<span>${formatBytes(sizeBytes, locale)}</span></li>\n`;
}

/** @param moreCount the files that are not shown */
function list({ t }: Visitor, rows: Html[], moreCount: number): Html {
  const more = moreCount > 0 ? html`<p>${t('files.more', { count: moreCount })}</p>` : NOTHING;
  return html`<ul class="files">\n${rows}</ul>${more}`;
}

/**
 * Renders the command that downloads a file and continues where it broke off. The script completes it with the address, and
 * copies it.
 */
export function commandBox({ t }: Visitor, fileName: string, { isOpen }: { isOpen: boolean }): Html {
  // Only letters, digits and characters that mean nothing to any shell.
  const name = fileName.replace(/[^\p{L}\p{N}._-]+/gu, '_');
  return html`<details data-command="${name}" hidden${isOpen ? html` open` : NOTHING}><summary>${t('command.title')}</summary>
<code id="text"></code><button type="button" class="button" data-copied="${t('command.copied')}" data-failed="${t('text.copyFailed')}" hidden>${t('command.copy')}</button>
<p role="status"></p></details>`;
}

/** Renders what opens the page of a file with its command. It is part of the form that opens the link. */
export function commandOffer({ t }: Visitor): Html {
  return html`<details><summary>${t('command.title')}</summary>
<p>${t('command.counts')}</p><button class="button" name="list" value="true">${t('command.show')}</button></details>`;
}

/** Renders the SHA-256 of a file. */
export function checksum({ t }: Visitor, sha256: string): Html {
  return html`<details><summary>${t('checksum')}</summary><code>${sha256}</code></details>`;
}
