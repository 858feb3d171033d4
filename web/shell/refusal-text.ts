import type { ProxyErrorCode } from '../../client/proxy-response.ts';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { Refusal } from '../service/outcome.ts';

/** A text of the page, or of the API: `lang` is set on the latter, which is English in every language. */
export type RefusalText = { text: string; lang?: 'en' };

const PROXY_TEXTS = {
  PROXY_TOO_LARGE: 'proxy.tooLarge',
  PROXY_NO_RESPONSE: 'proxy.noResponse',
  PROXY_RESPONSE: 'proxy.response',
} as const satisfies Record<ProxyErrorCode, MessageKey>;

/** Returns what an error says that has no text of its own on the page: that of a proxy, or that of the API. */
export function refusalText({ code, text, params }: Refusal, t: Translate): RefusalText {
  const [, key] = Object.entries(PROXY_TEXTS).find(([known]) => known === code) ?? [];
  if (key === undefined) return { text, lang: 'en' };
  return {
    text: t(key, { proxy: String(params['proxy'] || location.host), status: String(params['status']) }),
  };
}
