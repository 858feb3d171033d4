import { formatBytes, formatDateTime } from '../../i18n/format.ts';
import * as ICONS from '../../icons.ts';
import type { EpochMs, FileRequest } from '../../links/link.ts';
import { formatInstant } from '../../links/rules/expiry-time.ts';
import { LABEL_BOUNDS } from '../../links/rules/labels.ts';
import { type Html, html, NOTHING, type Page } from './page.ts';
import type { Visitor } from './visitor.ts';
import { heading, render, textWithTime } from './visitor-pages.ts';

// The pages of a visitor whom a file request asks for files.

export type ShownRequest = FileRequest & {
  expiresAt: EpochMs | null;
  hasPassword: boolean;
};

/** Returns the page that says what is wanted, with a form for files. Without JavaScript, the form sends all at once. */
export function requestPage(visitor: Visitor, request: ShownRequest): Page {
  const { t } = visitor;
  const { message, maxFiles, recipientKey, hasPassword } = request;
  const title = t('request.title');
  const password = html`<label for="request-password" data-password>${t('password.field')}</label>
<input id="request-password" name="password" type="password" data-password required autocomplete="off">`;
  const main = html`${heading(ICONS.UPLOAD, title)}
<p class="message">${message}</p>${limitsOf(visitor, request)}
<form method="post" enctype="multipart/form-data" data-request data-sending="${t('request.sending')}" data-too-many="${t('request.tooMany')}"
 data-send-failed="${t('request.failed')}" data-wrong-password="${t('password.wrong')}" data-max-files="${maxFiles ?? ''}">
${recipientKey === null ? NOTHING : encryptionOf(visitor, recipientKey)}
${hasPassword ? password : NOTHING}
<label for="files">${t('request.files')}</label>
<input id="files" name="file" type="file" required${maxFiles === 1 ? NOTHING : html` multiple`}>
<label for="sender">${t('request.sender')}</label>
<input id="sender" name="sender" maxlength="${LABEL_BOUNDS.label}" autocomplete="name">
<label for="note">${t('request.note')}</label>
<textarea id="note" name="note" rows="2" maxlength="${LABEL_BOUNDS.note}"></textarea>
<button class="button button-main"${recipientKey === null ? NOTHING : html` hidden disabled`}>${t('request.send')}</button>
<progress max="1" value="0" hidden></progress>
<p role="status"></p>
</form>`;
  const encryption = recipientKey === null ? {} : ({ encryption: 'ENCRYPT' } as const);
  return render(visitor, { title, tone: 'open', main, hasForm: true, ...encryption });
}

/** Returns what a visitor reads of the encryption. Its script enables the button, so that no browser sends plain files. */
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

export type ReceivedFiles = { name: string; sizeBytes: number; sha256: string }[];
/** `encrypted`: the one file is an archive that was encrypted before it was sent. */
type ShownReceipt = { message: string; receivedAt: EpochMs; files: ReceivedFiles; encrypted: boolean };

/** Returns the receipt of the files that a visitor sent. */
export function receiptPage(visitor: Visitor, { message, receivedAt, files, encrypted }: ShownReceipt): Page {
  const { t, locale } = visitor;
  const title = t('receipt.title');
  const items = files.map(
    ({ name, sizeBytes, sha256 }) =>
      html`<li><bdi>${name}</bdi><span>${formatBytes(sizeBytes, locale)}</span><code>SHA-256 ${sha256}</code></li>`,
  );
  const time = html`<time datetime="${formatInstant(receivedAt)}">${formatDateTime(new Date(receivedAt), locale, 'UTC')}</time>`;
  const main = html`${heading(ICONS.CHECK, title)}<p>${t('receipt.text')}</p>${encrypted ? html`<p>${t('receipt.encrypted')}</p>` : NOTHING}
<p class="message">${message}</p><p>${time}</p><ul class="files">${items}</ul>
<p><button type="button" class="button" data-save-receipt hidden>${t('receipt.save')}</button></p>`;
  return render(visitor, { title, tone: 'open', main, hasScript: true });
}
