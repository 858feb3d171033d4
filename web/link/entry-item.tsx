import { useContext, useState } from 'preact/hooks';
import { Swatch } from '../charts/card.tsx';
import type { EntryDetails } from '../history/entry-details.tsx';
import { OtherLink } from '../history/entry-notes.tsx';
import { toEntryTexts } from '../history/entry-texts.ts';
import { FileSetContext } from '../history/file-set.tsx';
import { OwnerContext } from '../history/owner-context.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { EntryGroup } from '../service/history.ts';
import { lazy } from '../shell/lazy.tsx';

/** Few readers ask for them. */
const LazyDetails = lazy<Parameters<typeof EntryDetails>[0]>(
  async () => (await import('../history/entry-details.tsx')).EntryDetails,
);

/** An address that filters the history when it is pressed. */
export function AddressButton({ address, onChoose }: { address: string; onChoose(address: string): void }) {
  const { t } = useI18n();
  return (
    <button
      type="button"
      class="address"
      title={t('history.onlyAddress', { address })}
      aria-label={t('history.onlyAddress', { address })}
      onClick={() => onChoose(address)}
    >
      {address}
    </button>
  );
}

type Props = EntryGroup & { onChooseAddress(address: string): void };

/** One entry of the timeline, or an attempt with its repeats. */
export function EntryItem({ entry, repeats, steps, onChooseAddress }: Props) {
  const i18n = useI18n();
  const [isOpen, setOpen] = useState(false);
  const fileSet = useContext(FileSetContext);
  const owner = useContext(OwnerContext);
  const texts = toEntryTexts(entry, { ...i18n, fileSet, owner });
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
      <details class="small" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
        <summary class="soft">{i18n.t('entry.details')}</summary>
        {isOpen && (
          <LazyDetails entries={[entry, ...repeats, ...steps].sort((a, b) => b.number - a.number)} />
        )}
      </details>
    </li>
  );
}
