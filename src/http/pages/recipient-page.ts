import { MAIL } from '../../common/icons.ts';
import { CODE_LIFETIME_MS, CODE_TRIES } from '../../core/model/recipient-code.ts';
import type { Introduction } from '../../core/use-cases/visit/about-link.ts';
import type { RecipientStep } from '../../core/use-cases/visit/check-recipient.ts';
import { breakable, type Html, html, NOTHING, type Page } from './page.ts';
import type { Visitor } from './visitor.ts';
import { guardedStart, render } from './visitor-pages.ts';

/** A step. `hasCookie`: the request had the secret of the browser. */
type Shown = RecipientStep & { isWrong: boolean; hasCookie: boolean; shown?: Introduction | undefined };

/**
 * Returns the page that asks a visitor for their mail address, or for the code that was mailed to it. It says the same of an
 * address that the link does not name. Its forms carry the password on, which was right.
 */
export function recipientPage(
  visitor: Visitor,
  { asked, isInvalid, isWrong, hasCookie, password, shown }: Shown,
): Page {
  const { t } = visitor;
  const title = t(asked ? 'recipient.code.title' : 'recipient.title');
  const refused = () =>
    hasCookie
      ? t('recipient.code.wrong', { tries: String(CODE_TRIES) })
      : t('recipient.code.noCookie', { minutes: LIFETIME_MINUTES });
  const message = isWrong ? refused() : isInvalid && t('recipient.invalid');
  const known = password === undefined ? NOTHING : hidden('password', password);
  const forms = asked
    ? codeForms(visitor, { known, message, address: asked.address, isWrong })
    : addressForms(visitor, { known, message });
  const main = html`${guardedStart(visitor, MAIL, title, shown)}${forms}`;
  // What comes next may be a page with a further script, which this page loads then.
  return render(visitor, { title: message || title, tone: 'open', main, hasForm: true, further: 'LATER' });
}

const LIFETIME_MINUTES = String(CODE_LIFETIME_MS / 60_000);

type Form = { known: Html; message: string | false | undefined };

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

const ADDRESS = html`name="recipientAddress" type="email" maxlength="254" required autocomplete="email" autocapitalize="none" spellcheck="false"`;
const CODE = html`id="recipientCode" name="recipientCode" inputmode="numeric" maxlength="20" required autocomplete="one-time-code" spellcheck="false"`;

/** Without a script, a file comes from a page of its own: its download would leave the form with its code in place. */
const AS_PAGE = hidden('list', 'true');

/** Renders the first field of a page, and its error. */
function firstField(attributes: Html, message: Form['message']): Html {
  const error = message ? html` aria-invalid="true" aria-describedby="error"` : NOTHING;
  return html`<input ${attributes} autofocus${error}>
${message ? html`<p id="error" class="field-error" role="alert">${message}</p>` : NOTHING}`;
}

/** Renders the form that asks for a code, and one for a visitor who left the page of the code and came back. */
function addressForms(visitor: Visitor, { known, message }: Form): Html {
  const { t } = visitor;
  return html`<p>${t('recipient.text')} ${t('recipient.recorded')}</p>
<form method="post" accept-charset="utf-8">
<label for="recipientAddress">${t('recipient.field')}</label>
${firstField(html`id="recipientAddress" ${ADDRESS}`, message)}${known}
<button class="button button-main">${t('recipient.send')}</button>
</form>
<details><summary>${t('recipient.have')}</summary>
<p>${codeTerms(visitor)}</p>
<form method="post" accept-charset="utf-8" data-ask>
<label for="other-address">${t('recipient.field')}</label>
<input id="other-address" ${ADDRESS}>
<label for="recipientCode">${t('recipient.code.field')}</label>
<input ${CODE}>${known}${AS_PAGE}
<button class="button">${t('recipient.code.open')}</button>
</form></details>`;
}

const codeTerms = ({ t }: Visitor): string => t('recipient.code.terms', { minutes: LIFETIME_MINUTES });

/** Renders the form for the code, one that asks for another code, and one that asks for it for another address. */
function codeForms(
  visitor: Visitor,
  { known, message, address, isWrong }: Form & { address: string; isWrong: boolean },
): Html {
  const { t } = visitor;
  const same = hidden('recipientAddress', address);
  return html`<p>${t(isWrong ? 'recipient.code.only' : 'recipient.code.text')}</p>
<p class="box"><bdi>${breakable(address)}</bdi></p>
<details><summary>${t('recipient.change')}</summary>
<form method="post" accept-charset="utf-8">
<label for="other-address">${t('recipient.field')}</label>
<input id="other-address" ${ADDRESS} value="${address}">${known}
<button class="button">${t('recipient.send')}</button>
</form></details>
<form method="post" accept-charset="utf-8" data-ask>
<label for="recipientCode">${t('recipient.code.field')}</label>
${firstField(CODE, message)}${known}${same}${AS_PAGE}
<small>${codeTerms(visitor)}</small>
<button class="button button-main">${t('recipient.code.open')}</button>
</form>
<form method="post" accept-charset="utf-8">${known}${same}
<button class="button">${t('recipient.resend')}</button>
</form>`;
}
