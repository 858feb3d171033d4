import { formatBytes } from '../../common/format.ts';
import type { Introduction } from '../../core/use-cases/visit/about-link.ts';
import { type Html, html, NOTHING, type Page } from './page.ts';
import { en } from './texts/en.ts';
import type { Visitor } from './visitor.ts';
import { previewCard, render, startOf } from './visitor-pages.ts';

const PREFIX = 'encrypted.script.';
type ScriptText = Extract<keyof typeof en, `${typeof PREFIX}${string}`>;
/** The texts that the script of the page shows. */
const SCRIPT_TEXTS = Object.keys(en).filter((key): key is ScriptText => key.startsWith(PREFIX));

/** The script puts in what it knows. */
const KEPT = { done: '{done}', name: '{name}', reason: '{reason}', size: '{size}', total: '{total}' };

/** The file to decrypt. `leaseFile`: its name below the address of its lease, if that is the address of the page. */
type Encrypted = { sizeBytes: number; introduction: Introduction; terms?: Html; leaseFile?: string };

/**
 * Returns the page that decrypts the file of a link: its script asks for the key that is not in the address. Nothing is spent before
 * the button is pressed, and nothing at all at the address of a lease, which the script gives the page then: it may be reloaded.
 * Without the script, the button downloads the encrypted file.
 */
export function encryptedPage(
  visitor: Visitor,
  { sizeBytes, introduction, terms = NOTHING, leaseFile }: Encrypted,
): Page {
  const { t, locale } = visitor;
  const { title, start } = startOf(visitor, introduction, 'encrypted');
  const texts = Object.fromEntries(SCRIPT_TEXTS.map((key) => [key.slice(PREFIX.length), t(key, KEPT)]));
  const ended = `${t('notice.DOWNLOAD_ENDED.title')}. ${t('notice.DOWNLOAD_ENDED.text')}`;
  const main = html`${start}<p id="about">${t(leaseFile ? 'encrypted.again' : 'encrypted.text')}</p>
<p class="box">${t('encrypted.size', { size: formatBytes(sizeBytes, locale) })}</p>${terms}
<noscript><p>${t('encrypted.withoutScript')}</p><pre class="box">age -d -i key.txt encrypted.tar.age | tar x</pre></noscript>
<form ${leaseFile ? html`action="${encodeURIComponent(leaseFile)}"` : html`method="post"`} data-encrypted="${JSON.stringify({ ...texts, again: t('encrypted.again'), ended })}" data-size="${sizeBytes}">
<div id="key-field" hidden>
<label for="key">${t('encrypted.key')}</label>
<input id="key" type="password" aria-describedby="key-hint" autocomplete="off" autocapitalize="none" spellcheck="false">
<label class="show"><input type="checkbox" data-show-key>${t('encrypted.show')}</label>
<p id="key-hint">${t('encrypted.hint')}</p>
</div>
<button class="button button-main">${t('encrypted.open')}</button>
<label id="progress" hidden><progress></progress><span></span></label>
<p role="status"></p>
<p class="field-error" role="alert" hidden></p>
</form>
<div id="decrypted" hidden></div>
<div id="decrypted-text" hidden>
<pre class="box" id="text" tabindex="0" dir="auto" aria-label="${t('encrypted.shown')}"></pre>
<button class="button button-main" data-copied="${t('command.copied')}" data-failed="${t('text.copyFailed')}">${t('text.copy')}</button>
</div>`;
  const head = previewCard(visitor);
  return render(visitor, { title, tone: 'open', main, head, hasForm: true, further: 'DECRYPT' });
}
