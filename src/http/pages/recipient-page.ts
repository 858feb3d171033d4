import { MAIL } from '../../common/icons.ts';
import { CODE_LIFETIME_MS, CODE_TRIES } from '../../core/model/recipient-code.ts';
import type { Introduction } from '../../core/use-cases/visit/about-link.ts';
import type { RecipientStep } from '../../core/use-cases/visit/check-recipient.ts';
import { type Html, html, NOTHING, type Page } from './page.ts';
import type { Visitor } from './visitor.ts';
import { heading, introduction, render } from './visitor-pages.ts';

/** A step, and whether the request had no cookie with the secret of the browser. */
export type ShownStep = RecipientStep & { hasNoCookie?: true };
type Shown = ShownStep & { isWrong: boolean; shown?: Introduction | undefined };

/**
 * Returns the page that asks a visitor for their mail address, or for the code that was mailed to it. It says the same of an
 * address that the link does not name. Its forms carry the password on, which was right.
 */
export function recipientPage(
  visitor: Visitor,
  { asked, isInvalid, isWrong, hasNoCookie, password, shown }: Shown,
): Page {
  const { t } = visitor;
  const title = t(asked ? 'recipient.code.title' : 'recipient.title');
  const refused = () =>
    hasNoCookie
      ? t('recipient.code.noCookie', { minutes: LIFETIME_MINUTES })
      : t('recipient.code.wrong', { tries: String(CODE_TRIES) });
  const message = isWrong ? refused() : isInvalid && t('recipient.invalid');
  const known = password === undefined ? NOTHING : hidden('password', password);
  const form = asked
    ? codeForm(visitor, { known: html`${known}${hidden('recipientAddress', asked.address)}`, message })
    : addressForm(visitor, { known, message });
  const again = asked ? sendAgain(visitor, known, asked.address) : NOTHING;
  const main = html`${heading(MAIL, title)}${shown ? introduction(visitor, shown) : NOTHING}${form}${again}`;
  // What comes next may be a page with a further script, which this page loads then.
  return render(visitor, { title: message || title, tone: 'open', main, hasForm: true, further: 'LATER' });
}

const LIFETIME_MINUTES = String(CODE_LIFETIME_MS / 60_000);

type Form = { known: Html; message: string | false | undefined };

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

function field(name: string, attributes: Html, { message }: Pick<Form, 'message'>): Html {
  const error = message ? html` aria-invalid="true" aria-describedby="error"` : NOTHING;
  return html`<input id="${name}" name="${name}" ${attributes} required autofocus${error}>
${message ? html`<p id="error" class="field-error" role="alert">${message}</p>` : NOTHING}`;
}

function addressForm({ t }: Visitor, { known, message }: Form): Html {
  const attributes = html`type="email" maxlength="254" autocomplete="email" autocapitalize="none" spellcheck="false"`;
  return html`<p>${t('recipient.text')} ${t('recipient.recorded')}</p>
<form method="post" accept-charset="utf-8">
<label for="recipientAddress">${t('recipient.field')}</label>
${field('recipientAddress', attributes, { message })}${known}
<button class="button button-main">${t('recipient.send')}</button>
</form>`;
}

function codeForm({ t }: Visitor, { known, message }: Form): Html {
  const attributes = html`inputmode="numeric" autocomplete="one-time-code" maxlength="20" spellcheck="false"`;
  return html`<p>${t('recipient.code.text', { minutes: LIFETIME_MINUTES })}</p>
<form method="post" accept-charset="utf-8" data-ask>
<label for="recipientCode">${t('recipient.code.field')}</label>
${field('recipientCode', attributes, { message })}${known}
<button class="button button-main">${t('recipient.code.open')}</button>
</form>`;
}

/** Renders the form that asks for another code, also for an address that was mistyped. */
function sendAgain({ t }: Visitor, known: Html, address: string): Html {
  return html`<details><summary>${t('recipient.again')}</summary>
<form method="post" accept-charset="utf-8">
<label for="other-address">${t('recipient.field')}</label>
<input id="other-address" name="recipientAddress" type="email" maxlength="254" value="${address}" required autocomplete="email" autocapitalize="none" spellcheck="false">${known}
<button class="button">${t('recipient.resend')}</button>
</form></details>`;
}
