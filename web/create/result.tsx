import { useEffect, useRef, useState } from 'preact/hooks';
import { SHARE } from '../../src/common/icons.ts';
import { LazyMailDialog } from '../actions/lazy-mail-dialog.tsx';
import { QrDialog } from '../actions/qr-dialog.tsx';
import { sharedUrlOf, toReadableUrl } from '../actions/shown-urls.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { historyPageUrl, recordPageUrl } from '../service/links.ts';
import { CopyButton, SecretDialog, SecretToCopy, WebhookSecret } from '../shell/copy-button.tsx';
import { Icon } from '../shell/icon.tsx';
import { lazy } from '../shell/lazy.tsx';
import { useSession } from '../shell/session.tsx';
import { Terms } from '../shell/terms.tsx';
import { useLeaveWarning } from '../shell/use-browser.ts';
import type { AtOnceNote } from './at-once-note.tsx';
import { LazyCopyMessage } from './lazy-copy-message.tsx';
import { LazyRestrictionNote } from './lazy-restriction-note.tsx';
import './result.css';
import type { NewLink } from './use-submission.ts';

const LazyAtOnceNote = lazy<Parameters<typeof AtOnceNote>[0]>(
  async () => (await import('./at-once-note.tsx')).AtOnceNote,
);

/** A link just created, to copy, scan or share. */
export function Result({ created, onRestart }: { created: NewLink; onRestart(): void }) {
  const { t } = useI18n();
  const { link, title, type, fingerprint, encryption, restrictions } = created;
  const { shortCode } = link;
  const { verifiedRecipients: only } = restrictions;
  const [confirm, setConfirm] = useState(restrictions.confirm === true);
  const [opened, setOpened] = useState<'SECRET' | 'QR'>();
  const [mailedTo, setMailedTo] = useState<string>();
  const { isUncopied, onKeyCopied, onSecretCopied } = useUncopied(created);
  const address = sharedUrlOf(link);
  // The key is part of what is shown and copied, and of nothing that is stored or sent.
  const key = encryption?.fragment ? `#${encryption.fragment}` : '';
  const url = address + key;
  const close = (): void => setOpened(undefined);
  const heading = useFocusAtTop<HTMLHeadingElement>();
  return (
    <section class="card column card-wide result" aria-labelledby="result-title">
      <h1 id="result-title" ref={heading} tabIndex={-1}>
        {t('result.title')}
      </h1>
      <p class="soft one-line result-source">{title}</p>
      <HeldBack link={link} />
      <div class="row result-link">
        {/* Plain text: following a link would use up a view. */}
        <p class="break">
          {toReadableUrl(address).slice(0, -shortCode.length)}
          <wbr />
          {shortCode}
          {key && <span class="soft small">{key}</span>}
        </p>
        <CopyButton
          text={url}
          label={t('copy.link')}
          isLabelShown
          kind="main"
          onCopied={key ? onKeyCopied : undefined}
        />
      </div>
      {only && <LazyRestrictionNote kind="RESULT" addresses={only} mailedTo={mailedTo} />}
      <OpeningNotes created={created} confirm={confirm} onConfirm={() => setConfirm(true)} />
      <Sending {...{ created, url, mailedTo }} onMailed={setMailedTo} onOpenQr={() => setOpened('QR')} />
      <Secrets {...{ ...created, mailedTo, onKeyCopied, onSecretCopied }} />
      <NewTerms created={created} confirm={confirm} />
      {fingerprint !== null && <Proof shortCode={shortCode} fingerprint={fingerprint} />}
      <div class="actions">
        <button type="button" class="button" onClick={isUncopied ? () => setOpened('SECRET') : onRestart}>
          {t('result.another')}
        </button>
        <a class="button" href={historyPageUrl(shortCode)}>
          {t(type === 'REQUEST' ? 'request.arrived' : 'history.title')}
        </a>
      </div>
      {opened === 'SECRET' && <SecretDialog onClose={close} onDiscard={onRestart} />}
      {opened === 'QR' && <QrDialog url={url} shortCode={shortCode} note={null} onClose={close} />}
    </section>
  );
}

/** Asks before the page is left until each secret that no later page shows was copied. */
function useUncopied({ encryption, webhookSecret }: NewLink) {
  const [isKeyCopied, setKeyCopied] = useState(encryption === null);
  const [isSecretCopied, setSecretCopied] = useState(webhookSecret === null);
  const isUncopied = !isKeyCopied || !isSecretCopied;
  useLeaveWarning(isUncopied);
  return { isUncopied, onKeyCopied: () => setKeyCopied(true), onSecretCopied: () => setSecretCopied(true) };
}

/** Takes the focus when it appears, and is in view at the top: the form may have been scrolled. A phone shows nothing above it. */
function useFocusAtTop<Taker extends HTMLElement>() {
  const taker = useRef<Taker>(null);
  useEffect(() => {
    taker.current?.focus({ preventScroll: true });
    if (matchMedia('(width <= 40rem)').matches) taker.current?.scrollIntoView();
    else scrollTo(0, 0);
  }, []);
  return taker;
}

type NotesProps = { created: NewLink; confirm: boolean; onConfirm(): void };

/** Says what an opening is, before the user tries the link, and that a file is sent without a page. */
function OpeningNotes({ created, confirm, onConfirm }: NotesProps) {
  const { t } = useI18n();
  const { link, token, type, content, viewable, password, restrictions } = created;
  if (type === 'REQUEST') return null; // opening its page sends nothing
  const { message, senderName, verifiedRecipients } = restrictions;
  if (verifiedRecipients) return null; // the user cannot open it without a code, and the history names who did
  const isFile = content === 'FILES' || (content === 'FILE' && !viewable);
  const hasText = message !== undefined || senderName !== undefined;
  const hasPage = password !== '' || confirm || hasText;
  const reference = { shortCode: link.shortCode, ...(token !== null && { token }) };
  return (
    <>
      <p class="soft small opening-notes">
        {t(link.maxViews === 1 ? 'answer.ownUsesUp' : 'answer.ownCounts')}
      </p>
      {isFile && !hasPage && <LazyAtOnceNote link={reference} onAsk={onConfirm} />}
    </>
  );
}

type SendingProps = {
  created: NewLink;
  url: string;
  mailedTo: string | undefined;
  onMailed(addresses: string): void;
  onOpenQr(): void;
};

/** The ways in which the link gets to its recipient. */
function Sending({ created, url, mailedTo, onMailed, onOpenQr }: SendingProps) {
  const { t } = useI18n();
  const { settings } = useSession();
  const [isMailing, setMailing] = useState(false);
  return (
    <>
      <div class="actions result-send">
        <LazyCopyMessage created={created} url={url} />
        {settings?.notify.recipient && (
          <button type="button" class="button button-quiet" onClick={() => setMailing(true)}>
            {t('mailLink')}
          </button>
        )}
        <ShareButton url={url} />
        <button type="button" class="button button-quiet" onClick={onOpenQr}>
          {t('qr.title')}
        </button>
      </div>
      {mailedTo && !created.restrictions.verifiedRecipients && (
        <p role="status">{t('entry.mailed', { address: mailedTo })}</p>
      )}
      {isMailing && (
        <LazyMailDialog link={toMailed(created)} onSent={onMailed} onClose={() => setMailing(false)} />
      )}
    </>
  );
}

/** Returns what a mail of the link depends on. */
function toMailed({ link, token, password, encryption, restrictions }: NewLink) {
  const { recipient, verifiedRecipients } = restrictions;
  return {
    shortCode: link.shortCode,
    ...(token !== null && { token }),
    ...(recipient !== undefined && { recipient }),
    ...(verifiedRecipients !== undefined && { verifiedRecipients }),
    passwordProtected: password !== '',
    file: { encrypted: encryption !== null },
  };
}

type SecretsProps = NewLink & { mailedTo: string | undefined; onKeyCopied(): void; onSecretCopied(): void };

/** The key or the passphrase, the password and the secret of the webhook, which no later page shows. */
function Secrets({ encryption, password, webhookSecret, ...props }: SecretsProps) {
  const { t } = useI18n();
  const { mailedTo, onKeyCopied, onSecretCopied } = props;
  return (
    <>
      {encryption?.passphrase && (
        <SecretToCopy
          name={t('passphrase')}
          secret={encryption.passphrase}
          copyLabel={t('copy.passphrase')}
          note={t('result.passphraseOnce')}
          onCopied={onKeyCopied}
        />
      )}
      {encryption?.fragment && (
        <Key fragment={encryption.fragment} isMailed={mailedTo !== undefined} onCopied={onKeyCopied} />
      )}
      {password !== '' && (
        <SecretToCopy
          name={t('password')}
          secret={password}
          copyLabel={t('copy.password')}
          note={t('result.passwordOnce')}
        />
      )}
      {webhookSecret !== null && <WebhookSecret secret={webhookSecret} onCopied={onSecretCopied} />}
    </>
  );
}

type KeyProps = { fragment: string; isMailed: boolean; onCopied(): void };

/** The key that the link has, for a mail of it, which lacks the key. The page of the link takes it as it is. */
function Key({ fragment, isMailed, onCopied }: KeyProps) {
  const { t } = useI18n();
  return (
    <div class="row spread result-key">
      <p class="small">
        {t('result.keyOnce')} {isMailed && t('mailLink.noKey')}
      </p>
      <CopyButton text={fragment} label={t('copy.key')} isLabelShown kind="quiet" onCopied={onCopied} />
    </div>
  );
}

/** Says that the file keeps the link from being opened. */
function HeldBack({ link: { scan } }: { link: NewLink['link'] }) {
  const { t } = useI18n();
  const { settings } = useSession();
  const isUnscanned = scan === 'NOT_SCANNED' && settings?.upload.scanRequired;
  if (scan !== 'INFECTED' && !isUnscanned) return null;
  return (
    <p class="form-error" role="alert">
      {t(isUnscanned ? 'scan.required' : 'result.infected')}
    </p>
  );
}

/** The labels of the link, the limits that it has, and who is notified. Its password is shown before. */
function NewTerms({ created, confirm }: { created: NewLink; confirm: boolean }) {
  const { link, type, restrictions } = created;
  const { expiresAt, maxViews } = link;
  const { t, format } = useI18n();
  const { label, recipient, tags = [], startsAt, team, notifyEmail } = restrictions;
  const time = (at: string): string => `${format.dateTime(new Date(at))} (${format.timeZone})`;
  const terms: [name: string, value: string | null | undefined | false][] = [
    [t('label'), label],
    [t('recipient'), recipient],
    [t('tags'), tags.join(', ')],
    [t('startsAt'), startsAt && time(startsAt)],
    [t('team'), team],
    [t('expiry'), expiresAt === null ? t('expiry.never') : time(expiresAt)],
    [t('views'), maxViews !== null && t('views.limit', { count: maxViews })],
    [t('confirm'), type !== 'REQUEST' && confirm && t('term.yes')],
  ];
  const set = terms.filter((term): term is [string, string] => Boolean(term[1]));
  return (
    <>
      {set.length > 0 && <Terms terms={set} />}
      {notifyEmail && <p class="soft small">{t('result.notified', { address: notifyEmail })}</p>}
    </>
  );
}

/** The fingerprint of the creation, which proves nothing that happens later. Few need it, so it is closed. */
function Proof({ shortCode, fingerprint }: { shortCode: string; fingerprint: string }) {
  const { t } = useI18n();
  return (
    <details class="more">
      <summary>{t('result.proof')}</summary>
      <SecretToCopy
        name={t('proof.title')}
        secret={fingerprint}
        copyLabel={t('proof.copy')}
        note={t('result.proofMeaning')}
      />
      <p>
        <a href={recordPageUrl(shortCode)}>{t('record.open')}</a>
      </p>
    </details>
  );
}

/** Opens the device's own share dialog, on devices that have one. */
function ShareButton({ url }: { url: string }) {
  const { t } = useI18n();
  if (!('share' in navigator)) return null;
  // The promise is rejected when the user closes the dialog.
  const share = (): unknown => navigator.share({ url }).catch(() => undefined);
  return (
    <button type="button" class="button button-quiet" onClick={share}>
      <Icon path={SHARE} />
      {t('share')}
    </button>
  );
}
