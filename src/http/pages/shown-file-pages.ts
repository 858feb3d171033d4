import { formatBytes } from '../../common/format.ts';
import { DOWNLOAD, EYE } from '../../common/icons.ts';
import { type Html, html, icon, NOTHING, type Page } from './page.ts';
import type { Visitor } from './visitor.ts';
import { heading, render } from './visitor-pages.ts';

// The pages that show what a link leads to: a text, or a file that browsers show. Both were opened, and nothing of them is kept.

/**
 * Returns the page of a text. The script adds the button that copies it; without it, the text can be selected.
 *
 * @param shown.viewsLeft null without a limit
 */
export function textPage(visitor: Visitor, shown: { text: string; viewsLeft: number | null }): Page {
  const { t } = visitor;
  const { text, viewsLeft } = shown;
  const title = t('text.shown');
  const left =
    viewsLeft === null
      ? NOTHING
      : html`<p>${viewsLeft === 0 ? t('text.last') : `${t('views.left', { count: viewsLeft })}.`}</p>`;
  const main = html`${heading(EYE, title)}${left}
<pre class="box" id="text" tabindex="0" dir="auto" aria-label="${title}">${verbatim(text)}</pre>
<button class="button button-main" data-copied="${t('command.copied')}" data-failed="${t('text.copyFailed')}" hidden>${t('text.copy')}</button>
<p role="status"></p>`;
  return render(visitor, { title, tone: 'open', main, hasScript: true });
}

/** Returns markup that a browser reads as exactly this text: it would drop the first line break, and carriage returns. */
function verbatim(text: string): Html {
  return { markup: `\n${html`${text}`.markup.replaceAll('\r', '&#13;')}` };
}

/** Returns the page of a file that browsers show, of this media type. Its addresses are relative to that of its lease. */
export function shownFilePage(
  visitor: Visitor,
  file: { fileName: string; sizeBytes: number },
  shownType: string,
): Page {
  const { t, locale } = visitor;
  const { fileName, sizeBytes } = file;
  const leaf = encodeURIComponent(fileName);
  const address = `view/${leaf}`;
  const isPdf = shownType === 'application/pdf';
  const shown = showFile(visitor, fileName, address, shownType);
  const main = html`<h1 tabindex="-1"><bdi>${fileName}</bdi></h1>
<p>${formatBytes(sizeBytes, locale)}</p>
${shown}
<p><a class="button button-main" href="${leaf}">${icon(DOWNLOAD)}${t('download.open')}</a>${isPdf ? html`<a class="button" href="${address}">${t('shown.pdf')}</a>` : NOTHING}</p>`;
  return render(visitor, { title: fileName, tone: 'open', main, shows: isPdf ? 'PDF' : 'MEDIA' });
}

/** Renders what shows the file. A browser without a viewer of PDFs shows the text in its place, and loads nothing. */
function showFile({ t }: Visitor, fileName: string, address: string, shownType: string): Html {
  if (shownType.startsWith('image/')) return html`<img class="shown" src="${address}" alt="${fileName}">`;
  if (shownType.startsWith('audio/'))
    return html`<audio class="shown" src="${address}" aria-label="${fileName}" controls preload="metadata"></audio>`;
  if (shownType.startsWith('video/'))
    return html`<video class="shown" src="${address}" aria-label="${fileName}" controls playsinline preload="metadata"></video>`;
  return html`<object class="shown" data="${address}" type="${shownType}" aria-label="${fileName}"><p class="box">${t('shown.noPdf')}</p></object>`;
}
