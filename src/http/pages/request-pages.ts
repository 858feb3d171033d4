import { formatBytes } from '../../common/format.ts';
import * as ICONS from '../../common/icons.ts';
import type { EpochMs, FileRequest } from '../../core/model/link.ts';
import { MANAGED_TERMS } from '../../core/model/terms.ts';
import type { Introduction } from '../../core/use-cases/visit/about-link.ts';
import { type Html, html, icon, NOTHING, type Page } from './page.ts';
import { receiptText, type ShownReceipt } from './receipt-text.ts';
import type { Visitor } from './visitor.ts';
import { correspondent, heading, introduceRequest, render, textWithTime } from './visitor-pages.ts';

// The pages of a visitor whom a file request asks for files.

export type ShownRequest = FileRequest &
  Introduction & {
    expiresAt: EpochMs | null;
    hasPassword: boolean;
  };

/** Returns the page that says what is wanted, with a form for files. Without JavaScript, the form sends all at once. */
export function requestPage(visitor: Visitor, request: ShownRequest): Page {
  const { t, locale } = visitor;
  const { maxFiles, maxBytes, recipientKey, hasPassword } = request;
  const title = t('request.title');
  const password = html`<label for="request-password" data-password>${t('password.field')}</label>
<input id="request-password" name="password" type="password" data-password required autocomplete="off">`;
  const main = html`${heading(ICONS.UPLOAD, title)}
<p data-sent="${sentText(visitor, 1)}" hidden>${sentText(visitor, 2)}</p>
${introduceRequest(visitor, request)}${limitsOf(visitor, request)}${recipientKey === null ? NOTHING : encryptionOf(visitor, recipientKey)}
<form method="post" enctype="multipart/form-data" data-request data-sending="${t('request.sending')}" data-waiting="${t('request.waiting')}" data-occupied="${t('request.occupied')}"
 data-max-files="${maxFiles ?? ''}" data-too-many="${t('request.maxFiles', { count: maxFiles ?? 0 })}" data-chosen="${t('request.chosen', { chosen: '{chosen}' })}" data-files="${t('files.count', { count: 2 }).replace('2', '{count}')}"
 data-max-bytes="${maxBytes ?? ''}" data-too-large="${t('request.maxBytes', { size: formatBytes(maxBytes ?? 0, locale) })}"
 data-unreadable="${t('request.unreadable')}" data-send-failed="${t('request.failed')}" data-proxy-limit="${t('request.proxyLimit')}" data-wrong-password="${t('password.wrong')}"${recipientKey === null ? NOTHING : html` hidden`}>
${hasPassword ? password : NOTHING}
<label for="files">${t('request.files')}</label>
<div class="drop"><input id="files" name="file" type="file" required${maxFiles === 1 ? NOTHING : html` multiple`}>
<p aria-hidden="true" hidden>${icon(ICONS.UPLOAD)} ${t('request.choose')}</p><p class="with-mouse" aria-hidden="true" hidden>${t('request.drop')}</p></div>
<template><li><bdi></bdi><span></span><button type="button" class="remove" aria-label="${t('request.remove')}">${icon(ICONS.CROSS)}</button></li></template>
<ul class="files"></ul><p data-total aria-live="polite"></p>
<label for="sender">${t('request.sender')}</label>
<input id="sender" name="sender" maxlength="${MANAGED_TERMS.label.maxLength}" autocomplete="name">
<label for="note">${t('request.note')}</label>
<textarea id="note" name="note" rows="2" maxlength="${MANAGED_TERMS.note.maxLength}"></textarea>
<div class="form-end"><button class="button button-main"${recipientKey === null ? NOTHING : html` disabled`}>${t('request.send')}</button>
<p class="progress" hidden><progress max="1" value="0"></progress><span></span></p>
<p role="status"></p></div>
</form>`;
  const further = recipientKey === null ? 'SEND' : 'ENCRYPT';
  return render(visitor, { title, tone: 'open', main, hasForm: true, further });
}

/** Returns what the script says of the files that it sent before the page was loaded again: of one, or of several. */
const sentText = ({ t }: Visitor, count: 1 | 2): string =>
  t('request.sent', { count, time: '{time}' }).replace(String(count), '{count}');

/** Returns what a visitor reads of the encryption. Its script shows the form, so that no browser sends plain files. */
function encryptionOf({ t }: Visitor, recipientKey: string): Html {
  return html`<p>${t('request.encrypts')}<code data-recipient>${recipientKey}</code></p>
<noscript><p>${t('request.withoutScript')}</p></noscript>
<p data-insecure hidden>${t('request.insecure')}</p>`;
}

function limitsOf(visitor: Visitor, { expiresAt, maxFiles, maxBytes }: ShownRequest): Html {
  const { t, locale } = visitor;
  const items = [
    ...(expiresAt === null ? [] : [textWithTime(visitor, 'request.until', expiresAt)]),
    ...(maxFiles === null ? [] : [html`${t('request.maxFiles', { count: maxFiles })}`]),
    ...(maxBytes === null ? [] : [html`${t('request.maxBytes', { size: formatBytes(maxBytes, locale) })}`]),
  ];
  return items.length === 0 ? NOTHING : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Returns the page of files that exceed a limit: so many files, or a size. */
export function exceededPage(visitor: Visitor, max: string | number): Page {
  const { t } = visitor;
  const size = String(max).replace(' ', '\u00a0');
  const title =
    typeof max === 'number' ? t('request.maxFiles', { count: max }) : t('request.maxBytes', { size });
  const main = html`${heading(ICONS.WARNING, title)}<p>${t('request.exceeded')}</p>`;
  return render(visitor, { title, tone: 'error', main });
}

/** Returns the receipt of the files that a visitor sent: first what arrived, then what proves it. */
export function receiptPage(visitor: Visitor, receipt: ShownReceipt): Page {
  const { message, sender, note, introduction: asked, receivedAt, files, encrypted } = receipt;
  const { t, locale } = visitor;
  const title = t('receipt.title');
  const items = files.map(
    ({ name, sizeBytes }) => html`<li><bdi>${name}</bdi><span>${formatBytes(sizeBytes, locale)}</span></li>`,
  );
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const total = html`<li>${t('files.count', { count: files.length })}, ${formatBytes(totalBytes, locale)}</li>`;
  const main = html`${heading(ICONS.CHECK, title)}
${asked ? correspondent(visitor, asked) : NOTHING}<p class="message"><small>${t('receipt.request')}</small>${message}</p>${note ? html`<p class="message"><small>${t('receipt.note')}</small>${note}</p>` : NOTHING}
<ul>${sender ? html`<li><bdi>${t('receipt.sender', { name: sender })}</bdi></li>` : NOTHING}<li>${textWithTime(visitor, 'receipt.at', receivedAt)}</li>${files.length > 1 ? total : NOTHING}</ul>
<ul class="files"${encrypted ? html` data-encrypted` : NOTHING}>${encrypted ? NOTHING : items}</ul>
<p><button type="button" class="button" data-save-receipt hidden>${t('receipt.save')}</button></p>
<p>${t('receipt.close')}</p>
${proofOf(visitor, receipt)}${receiptText(visitor, receipt)}`;
  return render(visitor, { title, tone: 'open', main, hasScript: true });
}

/** Renders the digests of what arrived. The script closes them; without it, the page may be printed as it is. */
function proofOf({ t }: Visitor, { files, encrypted }: ShownReceipt): Html {
  const items = files.map(
    ({ name, sha256 }) => html`<li><bdi>${name}</bdi><code>SHA-256 ${sha256}</code></li>`,
  );
  return html`<details data-proof open><summary>${t('receipt.proof')}</summary>
<p>${t(encrypted ? 'receipt.encrypted' : 'receipt.text')}</p><noscript><p>${t('receipt.print')}</p></noscript>
<ul class="files">${items}</ul></details>`;
}
