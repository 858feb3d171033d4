import { parseUserAgent } from '../../src/core/model/user-agent.ts';
import type { Translate } from '../i18n/translate.ts';

/** Returns a browser and its system, or another program, in words; undefined if the header names none that is known. */
export function toProgramText(userAgent: string | null | undefined, t: Translate): string | undefined {
  const { name, system } = (userAgent && parseUserAgent(userAgent)) || {};
  return name && system ? t('answer.program', { name, system }) : name;
}
