import type { Translate } from '../i18n/translate.ts';
import type { Refusal } from '../service/outcome.ts';

/** A text of the page, or of the API: `lang` is set on the latter, which is English in every language. */
export type RefusalText = { text: string; lang?: 'en' };

/** Returns what an error says that has no text of its own on the page: that of a proxy, or that of the API. */
export function refusalText({ code, text, params }: Refusal, t: Translate): RefusalText {
  if (!code?.startsWith('PROXY_')) return { text, lang: 'en' };
  const { proxy, status } = params;
  const key = code === 'PROXY_TOO_LARGE' ? 'proxy.tooLarge' : 'proxy.response';
  return { text: t(key, { proxy: String(proxy || location.host), status: String(status) }) };
}
