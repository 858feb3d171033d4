import type { Translate } from '../i18n/translate.ts';
import type { LinkDescription } from '../service/contract.ts';

type Facts = Partial<Pick<LinkDescription, 'label' | 'recipient' | 'file'>>;

/** Returns the known facts that distinguish a link: several can lead to one file, one for each recipient. */
export function toLinkFacts({ label, file, recipient }: Facts, t: Translate): string[] {
  const facts = [label, file?.name, recipient && t('links.recipient', { recipient })];
  return facts.filter((fact): fact is string => Boolean(fact));
}
