import { useContext } from 'preact/hooks';
import { Swatch } from '../charts/card.tsx';
import { flattenDetails } from '../history/change-texts.ts';
import { OtherLink } from '../history/entry-notes.tsx';
import { toEntryTexts } from '../history/entry-texts.ts';
import { FileSetContext } from '../history/file-set.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { Entry, EntryGroup } from '../service/history.ts';

/** An address that filters the history when it is pressed. */
export function AddressButton({ address, onChoose }: { address: string; onChoose(address: string): void }) {
  const { t } = useI18n();
  return (
    <button
      type="button"
      class="address"
      title={t('history.onlyAddress', { address })}
      onClick={() => onChoose(address)}
    >
      {address}
    </button>
  );
}

type Props = EntryGroup & { onChooseAddress(address: string): void };

/** One entry of the timeline, or an attempt with its repeats. */
export function EntryItem({ entry, repeats, onChooseAddress }: Props) {
  const i18n = useI18n();
  const fileSet = useContext(FileSetContext);
  const texts = toEntryTexts(entry, { ...i18n, fileSet });
  const { label, otherCode, colour, time, address, client } = texts;
  return (
    <li class="entry">
      <Swatch colour={colour} />
      <p class="entry-label">
        {label} <OtherLink code={otherCode} />
        {repeats.length > 0 && <strong> × {i18n.format.number(repeats.length + 1)}</strong>}
      </p>
      <time class="soft small" dateTime={entry.at} title={i18n.format.dateTime(new Date(entry.at))}>
        {time}
      </time>
      <p class="row soft small break entry-client">
        {address === null ? (
          i18n.t('history.noAddress')
        ) : (
          <AddressButton address={address} onChoose={onChooseAddress} />
        )}
        {client !== '' && <span>{client}</span>}
      </p>
      <EntryDetails entries={[entry, ...repeats]} />
    </li>
  );
}

/** Everything that the service recorded, as its export names it. */
function EntryDetails({ entries }: { entries: Entry[] }) {
  const { t } = useI18n();
  return (
    <details class="small">
      <summary class="soft">{t('entry.details')}</summary>
      {entries.map((entry) => (
        <dl key={entry.id} class="break facts">
          {Object.entries(toFacts(entry))
            .filter(([, value]) => value !== null)
            .map(([name, value]) => (
              <div key={name} class="row">
                <dt class="soft">{name}</dt>
                <dd>{String(value)}</dd>
              </div>
            ))}
        </dl>
      ))}
    </details>
  );
}

function toFacts(entry: Entry): Record<string, string | number | boolean | null> {
  const { id, at, number } = entry;
  if (entry.kind !== 'ATTEMPT') return { number, at, ...flattenDetails(entry.details), id };
  const { result, count, userAgent, referrer, downloads } = entry;
  const ends = Object.fromEntries(
    downloads.flatMap(({ at, firstByte, bytesSent, isSentCompletely }, index) =>
      Object.entries({ at, firstByte, bytesSent, isSentCompletely }).map(
        ([name, value]) => [`downloads.${index}.${name}`, value] as const,
      ),
    ),
  );
  return {
    number,
    at,
    result,
    ...(count > 1 && { count }),
    userAgent,
    ...(referrer !== undefined && { referrer }),
    ...ends,
    id,
  };
}
