import { EMPTY_CHAIN, sha256, toHashedText } from './chain.ts';
import { isPartlyErased, MAILED_TO, PERSONAL_DETAILS } from './hashed-text.ts';
import type { ChangeDetails, ChangedTerm, DetailValue, EntryPosition, HistoryEntry } from './history.ts';
import type { ChainHead, Link, LinkStatus } from './link.ts';
import { toChangeableTerms, toRecordedTerms, toTerms } from './link-terms.ts';
import { formatOwner } from './owner.ts';
import {
  createChainReader,
  describeBreak,
  describeFormat,
  describeNumbers,
  PARTLY_ERASED,
} from './read-chain.ts';
import { NO_TERMS } from './terms.ts';

/** An attempt may precede its link by so much on its clock: instances differ, and a creation may wait for its commit. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** A check of the history of one link. */
export type HistoryCheck = {
  /** Takes the entries in the order of their numbers. An entry whose format is unknown is undefined. */
  add(position: EntryPosition & { format: number }, entry: HistoryEntry | undefined): void;
  end(): void;
};

/**
 * Checks the history of a link against its row, and the terms of the link against its history.
 *
 * @param link undefined for entries whose short code has no link
 * @param start where the history begins, if the entries before are in detached months. The terms are not checked then
 * @param report is given one sentence for each difference
 */
export function createHistoryCheck(options: {
  shortCode: string;
  link: Link | undefined;
  start?: ChainHead | undefined;
  report: (finding: string) => void;
}): HistoryCheck {
  const { shortCode, link, start = EMPTY_CHAIN } = options;
  const report = (finding: string) => options.report(`history of link ${shortCode}: ${finding}`);
  if (!link) return checkWithoutLink(report);
  const head = link.history;
  const chain = createChainReader(sha256, start);
  const terms = start === EMPTY_CHAIN ? createTermsCheck(link, report) : undefined;
  let isWhole = true;
  let { lastSeq } = start;
  let isHeadConfirmed =
    start.entryCount > 0 && start.entryCount === head.entryCount && start.fingerprint === head.fingerprint;

  function reportBreak(finding: string): void {
    isWhole = false;
    report(finding);
  }
  return {
    add(position, entry) {
      const { seq, number, prev, fingerprint } = position;
      const found = chain.add(number, entry && toHashedText(entry, number), fingerprint);
      if (!entry) report(`entry ${number} ${describeFormat(position.format)}`);
      else if (isPartlyErased(entry)) report(`entry ${number} ${PARTLY_ERASED}`);
      if (found) reportBreak(describeBreak(found));
      else if (isWhole && number > head.entryCount)
        reportBreak(
          `entry ${number} is newer than the last that the link's row counts (${head.entryCount}): ` +
            'it was inserted, or the row was replaced by an older one',
        );
      else if (isWhole && fingerprint !== chain.fingerprint)
        reportBreak(
          `entry ${number} does not give its fingerprint: it was changed, or one before was inserted or removed`,
        );
      else if (isWhole && prev !== lastSeq)
        report(
          `entry ${number} names ${prev} as the entry before, which is ${lastSeq}: its prev was changed`,
        );
      lastSeq = seq;
      if (number === head.entryCount) isHeadConfirmed = chain.fingerprint === head.fingerprint;
      terms?.add(position, entry);
    },
    end() {
      const { lastNumber } = chain;
      if (isWhole && lastNumber < head.entryCount)
        reportBreak(`${describeNumbers(lastNumber + 1, head.entryCount)} missing at the end: removed`);
      if (isWhole && !isHeadConfirmed) report(describeOtherHead(head.entryCount));
      else if (isWhole && lastSeq !== head.lastSeq)
        report(
          `the link's row names ${head.lastSeq} as the newest entry, which is ${lastSeq}: it was changed`,
        );
      terms?.end();
    },
  };
}

function describeOtherHead(count: number): string {
  return count === 0
    ? "the link's row counts no entries: the row was changed"
    : `the fingerprint in the link's row is not that of entry ${count}: the row was changed or replaced, or entries ` +
        'were changed with their fingerprints';
}

function checkWithoutLink(report: (finding: string) => void): HistoryCheck {
  let count = 0;
  return {
    add: () => void count++,
    end: () => report(`there is no such link, but entries (${count}): the link was removed or renamed`),
  };
}

/** Stands for the value of a term whose last change may have been erased. */
const ERASED = Symbol('erased');

/** Compares the row of a link with the terms in its history: those of its creation, as its changes left them. */
function createTermsCheck(link: Link, report: (finding: string) => void): HistoryCheck {
  const terms = new Map<string, DetailValue | typeof ERASED>();
  let isKnown = true;
  let createdAt: number | undefined;
  let lastOpenedAt: number | null = null;
  let changeCount = 0;
  let isRevoked = false;

  function applyChange(number: number, details: ChangeDetails): void {
    changeCount += 1;
    for (const [name, term] of Object.entries(details).filter(isNotMail)) {
      if (!isChangedTerm(term)) report(`${name} of entry ${number} is no change of a term: it was changed`);
      else {
        const known = terms.get(name);
        if (name !== 'status' && known !== undefined && known !== ERASED && known !== term.old)
          report(
            `entry ${number} changes ${name} from ${JSON.stringify(term.old)}, but it was ${JSON.stringify(known)}`,
          );
        terms.set(name, term.new);
      }
    }
  }

  return {
    add({ number }, entry) {
      if (!entry) isKnown = false;
      else if (entry.kind === 'CREATED') {
        const { createdAt: importedAt, ...others } = entry.details;
        const details = Object.entries(others).filter(([name]) => !OF_CREATION.has(name));
        createdAt = typeof importedAt === 'string' ? Date.parse(importedAt) : entry.at;
        const created = { ...LEFT_OUT, owner: formatOwner(entry.author), ...Object.fromEntries(details) };
        for (const [name, value] of Object.entries(created))
          if (!isChangedTerm(value)) terms.set(name, value);
      } else if (entry.kind === 'CHANGED') applyChange(number, entry.details);
      else if (entry.kind === 'REVOKED') isRevoked = true;
      else if (entry.kind === 'ATTEMPT' && entry.result === 'SUCCESS')
        lastOpenedAt = Math.max(entry.at, lastOpenedAt ?? entry.at);
      if ((entry?.kind === 'CREATED' || entry?.kind === 'CHANGED') && entry.personalSha256 !== undefined)
        for (const name of PERSONAL_DETAILS) terms.set(name, ERASED);
    },
    end() {
      if (!isKnown) return;
      const { status: _, ...changeable } = toChangeableTerms(link);
      const found: ChangeDetails = { ...toTerms(link), ...changeable };
      isRevoked ||= terms.get('status') === 'REVOKED'; // by a retention
      if (isRevoked && link.status !== 'REVOKED') {
        report(`the link is ${link.status}, but its history has a revocation: the link was reopened`);
      } else if (!isRevoked && link.status === 'REVOKED') {
        report('the link is REVOKED, but its history has no revocation: its status was changed');
      }
      if (createdAt === undefined) {
        report('its history has no creation: that was removed or changed, or the link was inserted');
        return;
      }
      for (const name of new Set([...terms.keys(), ...Object.keys(found)])) {
        const [stored, recorded] = [found[name], terms.get(name)];
        if (stored === recorded || recorded === ERASED || isLeftOut(name, found, link.status)) continue;
        const values = `${JSON.stringify(stored)}, but its history says ${JSON.stringify(recorded)}`;
        report(`${name} of the link is ${values}: the link was changed outside the service`);
      }
      if (link.version !== changeCount)
        report(`the link has version ${link.version}, but its history has ${changeCount} changes`);
      if (createdAt !== link.createdAt)
        report(`the link was created at ${link.createdAt} by its row, but at ${createdAt} by its history`);
      if (lastOpenedAt !== link.lastOpenedAt)
        report(
          `the link was last opened at ${link.lastOpenedAt} by its row, but at ${lastOpenedAt} by its history`,
        );
    },
  };
}

/** Returns whether a term is not compared: attempts change the status, too, and all terms of an ended request are erased together. */
function isLeftOut(name: string, { requestMessage }: ChangeDetails, status: LinkStatus): boolean {
  const isErased = status === 'REVOKED' && requestMessage === '';
  return name === 'status' || (isErased && /^max(Bytes|Files)$|^recipientKey$/.test(name));
}

/** The details of a creation that are no terms. */
export const OF_CREATION: ReadonlySet<string> = new Set([
  ...['formerEntryCount', 'formerFingerprint', 'formerShortCode', 'importedFrom', 'viewCount'],
  ...['requestEntryCount', 'requestFingerprint'],
]);

/** The terms that the entry of a creation leaves out where a link lacks them. */
const LEFT_OUT: ChangeDetails = {
  ...Object.fromEntries(
    [
      ...['encrypted', 'fileCount', 'fileName', 'fileSha256', 'maxBytes', 'maxFiles', 'partsSha256'],
      ...['recipientKey', 'requestMessage', 'scan', 'scanNote', 'sizeBytes', 'startsAt', 'targetSha256'],
      ...['team', 'text', 'viewable'],
    ].map((name) => [name, null]),
  ),
  ...toRecordedTerms(NO_TERMS),
  paused: false,
};

/** Returns whether a detail of a change is, or should be, the change of a term. */
const isNotMail = ([name, value]: [string, ChangeDetails[string]]): boolean =>
  name !== MAILED_TO || typeof value !== 'string';

function isChangedTerm(value: DetailValue | ChangedTerm): value is ChangedTerm {
  return typeof value === 'object' && value !== null;
}
