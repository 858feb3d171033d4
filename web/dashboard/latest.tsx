import { useEffect, useRef, useState } from 'preact/hooks';
import { Card, Swatch } from '../charts/card.tsx';
import { formatSpan } from '../charts/range.ts';
import { labelOfResult } from '../history/result-labels.ts';
import { useI18n, WordsOf } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { describeLink, historyPageUrl } from '../service/links.ts';
import { type LatestAttempt, UNLISTED_RESULT } from '../service/statistics.ts';
import { ACCESS_RESULT_LABELS, colourOfResult } from '../shell/labels.ts';
import { nameOfLink, wordsFor } from '../shell/link-facts.ts';
import { useSession } from '../shell/session.tsx';
import { Time } from '../shell/time.tsx';
import type { Snapshot } from './use-snapshot.ts';

/** The newest attempts of the range that opened a link or were refused, each with its link, and how many are not listed. */
export function Latest({ statistics: { latest, results }, whose, span, requestedAt }: Snapshot) {
  const { t, format } = useI18n();
  const { serves } = useSession();
  const links = useDescriptions(serves('link') ? latest.map(({ shortCode }) => shortCode) : []);
  if (latest.length === 0) return null;
  const unlisted = results.find(({ result }) => whose === 'all' && result === UNLISTED_RESULT);
  const footer = unlisted && (
    <p class="soft small">
      {t('board.unlisted', { count: unlisted.count, result: t(ACCESS_RESULT_LABELS[UNLISTED_RESULT]) })}
    </p>
  );
  return (
    <Card id="latest" title={t('board.latest')} subtitle={formatSpan(span, format)} footer={footer} isWide>
      <ul class="plain latest">
        {latest.map((attempt, index) => {
          const link = links.get(attempt.shortCode);
          return (
            <WordsOf key={index} kind={link && wordsFor(link)}>
              <LatestItem {...{ attempt, link, now: requestedAt }} />
            </WordsOf>
          );
        })}
      </ul>
    </Card>
  );
}

type ItemProps = { attempt: LatestAttempt; link: LinkDescription | undefined; now: Date };

function LatestItem({ attempt: { shortCode, at, result, count }, link, now }: ItemProps) {
  const i18n = useI18n();
  const { t, format } = i18n;
  const { serves } = useSession();
  const name = link ? nameOfLink(link, i18n) : shortCode;
  // The clock of the service may be ahead.
  const relative = (date: Date): string => format.relative(date, date > now ? date : now);
  return (
    <li>
      <span class="latest-result">
        <Swatch colour={colourOfResult(result)} />
        {labelOfResult(result, t, count)}
      </span>
      <span class="one-line" title={name}>
        {serves('link') ? <a href={historyPageUrl(shortCode)}>{name}</a> : name}
        {link?.recipient && <span class="soft"> {t('links.recipient', { recipient: link.recipient })}</span>}
      </span>
      <span class="soft small">
        <Time at={at} text={relative} />
      </span>
    </li>
  );
}

/** Requests the description of each link once. One that cannot be had stays unknown. */
function useDescriptions(shortCodes: string[]): ReadonlyMap<string, LinkDescription> {
  const [known, setKnown] = useState<ReadonlyMap<string, LinkDescription>>(new Map());
  const requested = useRef(new Set<string>());
  useEffect(() => {
    for (const shortCode of shortCodes) {
      if (requested.current.has(shortCode)) continue;
      requested.current.add(shortCode);
      void describeLink({ shortCode }).then((outcome) => {
        if (outcome.kind === 'DONE') setKnown((now) => new Map(now).set(shortCode, outcome.value));
      });
    }
  }, [shortCodes.join(' ')]);
  return known;
}
