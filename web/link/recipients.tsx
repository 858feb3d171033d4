import { useI18n } from '../i18n/i18n.tsx';
import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { HistoryPage } from '../service/contract.ts';
import { Time } from '../shell/time.tsx';
import { findSteps, STEPS } from './recipient-steps.ts';
import type { en } from './recipient-texts/en.ts';

const { LateTexts, useLateTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./recipient-texts/en.ts')).en,
  pt: async () => (await import('./recipient-texts/pt.ts')).pt,
  es: async () => (await import('./recipient-texts/es.ts')).es,
  de: async () => (await import('./recipient-texts/de.ts')).de,
  fr: async () => (await import('./recipient-texts/fr.ts')).fr,
});

type Props = { addresses: readonly string[]; history: HistoryPage };

/** The recipients of a link: whether it was mailed to each, and whether they asked for a code and opened it. */
export function Recipients(props: Props) {
  return (
    <LateTexts>
      <List {...props} />
    </LateTexts>
  );
}

function List({ addresses, history: { items, next } }: Props) {
  const { format } = useI18n();
  const t = useLateTexts();
  return (
    <section class="card column card-content" aria-labelledby="recipients-title">
      <h2 id="recipients-title">{t('title')}</h2>
      <ul class="column plain break">
        {addresses.map((address) => {
          const steps = findSteps(address, items);
          const known = STEPS.filter((step) => steps[step] !== undefined);
          return (
            <li key={address}>
              <div>{address}</div>
              <span class="soft small">
                {known.length === 0 && t(next === null ? 'none' : 'noneLoaded')}
                {known.map((step, index) => (
                  <span key={step}>
                    {index > 0 && ' · '}
                    {t(step)} <Time at={steps[step] ?? ''} text={format.shortDateTime} />
                  </span>
                ))}
              </span>
            </li>
          );
        })}
      </ul>
      <p class="soft small">
        {t('what')} {next !== null && t('partial')}
      </p>
    </section>
  );
}
