import { useI18n } from '../i18n/i18n.tsx';
import { prepareLateTexts } from '../i18n/late-texts.tsx';
import { Breakable } from '../shell/breakable.tsx';
import { Time } from '../shell/time.tsx';
import { listSteps, type RecipientSteps } from './recipient-steps.ts';
import type { en } from './recipient-texts/en.ts';

export const { LateTexts: RecipientTexts, useLateTexts: useRecipientTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./recipient-texts/en.ts')).en,
  pt: async () => (await import('./recipient-texts/pt.ts')).pt,
  es: async () => (await import('./recipient-texts/es.ts')).es,
  de: async () => (await import('./recipient-texts/de.ts')).de,
  fr: async () => (await import('./recipient-texts/fr.ts')).fr,
});

/** Of more recipients than these, those of whom nothing is known share a line. */
const MAX_RECIPIENTS = 12;
/** So many characters of addresses fit on a sheet beside them. */
const MAX_WAITING_CHARACTERS = 700;

type Props = {
  recipients: RecipientSteps[];
  /** Shows only the last step of each, and no more than fit on a sheet. */
  isShort?: boolean;
  /** Some entries of the history are not known. */
  isPartial?: boolean;
};

/** The recipients that a link names or named, and what is known of each. */
export function RecipientList({ recipients, isShort = false, isPartial = false }: Props) {
  const t = useRecipientTexts();
  const none = t(isPartial ? 'noneLoaded' : 'none');
  const { listed, waiting } = splitRecipients(recipients, isShort);
  const more = recipients.length - listed.length - waiting.length;
  return (
    <>
      <ul class="plain break recipient-list">
        {listed.map((recipient) => (
          <Recipient key={recipient.address} {...{ recipient, isShort, none }} />
        ))}
        {waiting.length > 0 && (
          <li class="small recipient-rest">
            <Breakable text={waiting.map(({ address }) => address).join(', ')} />{' '}
            <span class="soft">{none}</span>
          </li>
        )}
        {more > 0 && <li>{t('more', { count: more })}</li>}
      </ul>
      <p class="soft small">{t('what')}</p>
    </>
  );
}

type ItemProps = { recipient: RecipientSteps; isShort: boolean; none: string };

function Recipient({ recipient, isShort, none }: ItemProps) {
  const { format } = useI18n();
  const t = useRecipientTexts();
  const steps = listSteps(recipient).slice(isShort ? -1 : 0);
  return (
    <li>
      <span>
        <Breakable text={recipient.address} />
      </span>{' '}
      <span class="soft small">
        {steps.length === 0 && none}
        {steps.map(([step, at], index) => (
          <span key={step}>
            {index > 0 && ' · '}
            {t(step)} <Time at={at} text={format.shortDateTime} />
          </span>
        ))}
        {recipient.isRemoved && ` · ${t('removed')}`}
      </span>
    </li>
  );
}

/**
 * Returns the recipients that have a line of their own, of many those first who opened the link, and those who share lines.
 *
 * @param isShort for those that fit on a sheet
 */
export function splitRecipients(recipients: RecipientSteps[], isShort: boolean) {
  if (recipients.length <= MAX_RECIPIENTS) return { listed: recipients, waiting: [] };
  const isWaiting = (each: RecipientSteps): boolean => !each.isRemoved && listSteps(each).length === 0;
  const listed = recipients
    .filter((each) => !isWaiting(each))
    .toSorted((a, b) => Number(b.opened !== undefined) - Number(a.opened !== undefined));
  const waiting = recipients.filter(isWaiting);
  return isShort
    ? { listed: listed.slice(0, MAX_RECIPIENTS), waiting: cutOff(waiting) }
    : { listed, waiting };
}

function cutOff(waiting: RecipientSteps[]): RecipientSteps[] {
  let characters = 0;
  return waiting.filter(({ address }) => {
    characters += address.length + 2;
    return characters <= MAX_WAITING_CHARACTERS;
  });
}
