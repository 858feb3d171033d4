import { useContext } from 'preact/hooks';
import { Swatch } from '../charts/card.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { Entry, EntryGroup } from '../service/history.ts';
import { historyPageUrl } from '../service/links.ts';
import { flattenDetails } from './change-texts.ts';
import { toEntryTexts } from './entry-texts.ts';
import { FileSetContext } from './file-set.tsx';

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

/** Leads to the page of the link that a link continues, or that continues it. */
export function OtherLink({ code }: { code: string | null }) {
  return code === null ? null : <a href={historyPageUrl(code)}>{code}</a>;
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

/** Says which entries the list shows with others: an attempt with the ends of its downloads. */
export function CoverageNotes({ items }: { items: Entry[] }) {
  const { t } = useI18n();
  const hasDownloadEnds = items.some((entry) => entry.kind === 'ATTEMPT' && entry.downloads.length > 0);
  return hasDownloadEnds ? <> {t('proof.downloadEnds')}</> : null;
}

/** Explains what a preview is, where entries have one. */
export function PreviewNote({ items }: { items: Entry[] }) {
  const { t } = useI18n();
  const hasPreview = items.some((entry) => entry.kind === 'ATTEMPT' && entry.preview);
  return hasPreview ? <p class="soft small">{t('entry.previewMeaning')}</p> : null;
}
