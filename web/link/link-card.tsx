import type { ComponentChildren } from 'preact';
import { sharedUrlOf, toShortUrl } from '../actions/shown-urls.ts';
import { FileNames } from '../history/file-set.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { FileOfSet, HistoryPage, LinkDescription } from '../service/contract.ts';
import type { LinkReference } from '../service/links.ts';
import { Breakable } from '../shell/breakable.tsx';
import { Icon } from '../shell/icon.tsx';
import { labelOfState } from '../shell/labels.ts';
import { TYPE_ICONS } from '../shell/link-types.ts';
import { useSession } from '../shell/session.tsx';
import { Answer } from './answer.tsx';
import { LazyReceivedFacts } from './lazy-received.tsx';
import { LinkActions } from './link-actions.tsx';
import { LinkTerms } from './link-terms.tsx';
import { useLinkTitle } from './use-link.ts';

type Props = {
  link: LinkReference;
  description: LinkDescription;
  /** Undefined while a filter leaves entries out. */
  history: HistoryPage | undefined;
  /** Of a set. */
  files: FileOfSet[];
  /** The number of files that arrived with a file request, if it is known. */
  receivedCount: number | undefined;
  onChanged(): void;
  /** Shown before the terms. */
  children?: ComponentChildren;
};

/** The link, whether it was opened, its state, its actions and its terms. */
export function LinkCard({ link, description, onChanged, children, ...known }: Props) {
  const { t, format } = useI18n();
  const { type, state } = description;
  const title = useLinkTitle(description);
  const url = sharedUrlOf(description);
  const isReceived = description.requestCode !== undefined;
  return (
    <section class="card column card-content link-card" aria-labelledby="link-title">
      <div class="link-head">
        <Icon path={TYPE_ICONS[type]} />
        <div>
          <h1 id="link-title" class="break">
            {title}
          </h1>
          {/* Plain text: following a link would use up a view. That of received files is not for passing on. */}
          {!isReceived && (
            <p class="soft break link-url">
              <Breakable text={toShortUrl(url)} />
            </p>
          )}
        </div>
      </div>
      <Answer description={description} {...known} />
      {isReceived && <LazyReceivedFacts {...{ link, description }} files={known.files} />}
      <p class="row link-state">
        <span class="badge" data-status={state}>
          {t(labelOfState(description))}
        </span>
        <span>{useStateText(description)}</span>
      </p>
      <UnsentMails description={description} />
      <LinkActions {...{ link, description, url, title, onChanged }} />
      {children}
      {isReceived ? (
        <details class="received-terms">
          <summary>{t('entry.details')}</summary>
          <LinkTerms description={description} />
        </details>
      ) : (
        <>
          <LinkTerms description={description} />
          <FileNames files={known.files} />
        </>
      )}
      <p class="soft small">{t('times.zone', { zone: format.timeZone })}</p>
    </section>
  );
}

/** Says which mails with the link their recipients have not got. */
function UnsentMails({ description: { unsentMails = [] } }: { description: LinkDescription }) {
  const { t, format } = useI18n();
  return unsentMails.map(({ address, requestedAt, isGivenUp }) => (
    <p key={`${address} ${requestedAt}`} class="problem-note">
      {t(isGivenUp ? 'mailLink.failed' : 'mailLink.waiting', {
        address,
        time: format.shortDateTime(new Date(requestedAt)),
      })}
    </p>
  ));
}

/** Says in one sentence whether the link can be opened, and why not. */
function useStateText(description: LinkDescription): string {
  const { state, passwordProtected, file, requestCode, verifiedRecipients } = description;
  const { t } = useI18n();
  const { settings } = useSession();
  if (state === 'PAUSED' && file?.scan === 'INFECTED') return t('scan.heldBack');
  if (state === 'PAUSED' && file && file.scan !== 'CLEAN' && settings?.upload.scanRequired)
    return t('scan.required');
  const isGuarded = passwordProtected || verifiedRecipients?.length;
  if (state === 'PAUSED' && isGuarded) return `${t('linkState.paused')} ${t('linkState.pausedGuarded')}`;
  if (state !== 'ACTIVE') return t(STATE_TEXTS[state]);
  // That anyone can open received files stands beside what ends it.
  if (requestCode !== undefined) return file?.encrypted ? t('linkState.activeToKey') : '';
  if (file?.encrypted) return t('linkState.activeEncrypted');
  if (verifiedRecipients?.length) return t('linkState.activeRecipients');
  return passwordProtected ? t('linkState.activePassword') : t('linkState.active');
}

const STATE_TEXTS = {
  SCHEDULED: 'linkState.scheduled',
  PAUSED: 'linkState.paused',
  USED_UP: 'linkState.usedUp',
  EXPIRED: 'linkState.expired',
  REVOKED: 'linkState.revoked',
} as const satisfies Record<Exclude<LinkDescription['state'], 'ACTIVE'>, MessageKey>;
