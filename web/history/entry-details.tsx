import type { Translate } from '../../src/common/translate.ts';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { AttemptEntry, ChangeEntry } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';
import { TYPE_TITLES } from '../shell/link-types.ts';
import { labelOfAttempt } from './attempt-label.ts';
import { isChangedTerm, NONE, showFlag, showHash, showText, TERMS, type Value } from './change-texts.ts';
import type { en } from './detail-texts/en.ts';

const { LateTexts, useLateTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./detail-texts/en.ts')).en,
  pt: async () => (await import('./detail-texts/pt.ts')).pt,
  es: async () => (await import('./detail-texts/es.ts')).es,
  de: async () => (await import('./detail-texts/de.ts')).de,
  fr: async () => (await import('./detail-texts/fr.ts')).fr,
});

type Fact = readonly [name: string, value: string | false | null | undefined];

/** What the service recorded of entries: in words, and as it is. */
export function EntryDetails({ entries }: { entries: Entry[] }) {
  return (
    <LateTexts>
      {entries.map((entry) => (
        <Recorded key={entry.id} entry={entry} />
      ))}
    </LateTexts>
  );
}

function Recorded({ entry }: { entry: Entry }) {
  const { t, format } = useI18n();
  const text = useLateTexts();
  const texts = { t, format, text };
  const facts: Fact[] = [
    [text('number'), format.number(entry.number)],
    [text('time'), format.time(new Date(entry.at))],
    ...(entry.kind === 'ATTEMPT' ? toAttemptFacts(entry, texts) : toChangeFacts(entry, texts)),
  ];
  return (
    <>
      <dl class="break facts">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name} class="row">
                <dt class="soft">{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <details>
        <summary class="soft">{text('raw')}</summary>
        <pre>{JSON.stringify(entry, null, 2)}</pre>
      </details>
    </>
  );
}

type Texts = Pick<I18n, 't' | 'format'> & { text: Translate<typeof en> };

function toAttemptFacts(entry: AttemptEntry, { t, format, text }: Texts): Fact[] {
  const { count, userAgent, referrer, downloads } = entry;
  return [
    [t('filter.result'), labelOfAttempt(entry, t)],
    [t('figure.attempts'), count > 1 && format.number(count)],
    [text('program'), userAgent],
    [text('referrer'), referrer],
    ...downloads.map(({ at, firstByte, bytesSent, isSentCompletely }, index): Fact => {
      const parts = [
        format.time(new Date(at)),
        firstByte > 0 && text('resumedAfter', { size: format.bytes(firstByte) }),
        t(isSentCompletely ? 'entry.downloaded' : 'entry.brokenOff', { sent: format.bytes(bytesSent) }),
      ];
      return [
        text('download', { number: format.number(index + 1) }),
        parts.filter((part) => part !== false).join(' · '),
      ];
    }),
  ];
}

function toChangeFacts({ details }: ChangeEntry, { t, format, text }: Texts): Fact[] {
  const { type, fileCount, scanNote, importedFrom, createdAt, viewCount } = details;
  const kind = Object.entries(TYPE_TITLES).find(([known]) => known === type);
  return [
    [text('type'), kind && t(kind[1])],
    ...toTermFacts(details, { t, format }),
    [text('fileCount'), typeof fileCount === 'number' && format.number(fileCount)],
    [text('scanNote'), typeof scanNote === 'string' && scanNote],
    [text('importedFrom'), typeof importedFrom === 'string' && importedFrom],
    [text('createdAt'), typeof createdAt === 'string' && format.time(new Date(createdAt))],
    [text('viewCount'), typeof viewCount === 'number' && format.number(viewCount)],
  ];
}

/** The traits of a file that are shown only here. */
const FILE_TRAITS = [
  ['text', ['text.title', showFlag]],
  ['encrypted', ['mine.encrypted', showFlag]],
  ['viewable', ['viewable', showFlag]],
] as const;

/** Returns the terms of a new link, or the changed ones with both values. Texts and hashes are whole. */
function toTermFacts(details: ChangeEntry['details'], texts: Pick<I18n, 't' | 'format'>): Fact[] {
  return [...TERMS, ...FILE_TRAITS].map(([name, [label, show]]): Fact => {
    const term = details[name] ?? null;
    const isWhole = show === showText || show === showHash;
    const toText = (value: Value): string =>
      value === null ? NONE : isWhole ? String(value) : show(value, texts);
    const text = isChangedTerm(term) ? `${toText(term.old)} → ${toText(term.new)}` : toText(term);
    return [texts.t(label), term !== null && text];
  });
}
