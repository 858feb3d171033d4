import { useEffect, useRef, useState } from 'preact/hooks';
import { SHARE } from '../../src/common/icons.ts';
import { LazyQrCode } from '../actions/lazy-qr-code.tsx';
import { sharedUrlOf, toReadableUrl } from '../actions/shown-urls.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { historyPageUrl } from '../service/links.ts';
import { CopyButton, SecretDialog, SecretToCopy, WebhookSecret } from '../shell/copy-button.tsx';
import { Icon } from '../shell/icon.tsx';
import { formatViews } from '../shell/labels.ts';
import { lazy } from '../shell/lazy.tsx';
import { Terms } from '../shell/terms.tsx';
import { useLeaveWarning } from '../shell/use-browser.ts';
import { LazyCopyMessage } from './lazy-copy-message.tsx';
import type { NewLink } from './use-submission.ts';

const EncryptionNote = lazy(async () => (await import('./encryption-note.tsx')).EncryptionNote);

/** A link just created, to copy, scan or share. */
export function Result({ created, onRestart }: { created: NewLink; onRestart(): void }) {
  const { t } = useI18n();
  const { link, title, webhookSecret, fingerprint, encryption } = created;
  const { shortCode } = link;
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isUncopied = (webhookSecret !== null || encryption !== null) && !isCopied;
  useLeaveWarning(isUncopied);
  const address = sharedUrlOf(link);
  // The key is part of what is shown and copied, and of nothing that is stored or sent.
  const key = encryption?.fragment ? `#${encryption.fragment}` : '';
  const url = address + key;
  const copied = (): void => setCopied(true);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card card-wide result" aria-labelledby="result-title">
      <div class="column result-main">
        <h1 id="result-title" ref={heading} tabIndex={-1}>
          {t('result.title')}
        </h1>
        <p class="soft one-line result-source">{title}</p>
        {link.scan === 'INFECTED' && (
          <p class="form-error" role="alert">
            {t('result.infected')}
          </p>
        )}
        <div class="row result-link">
          {/* Plain text: following a link would use up a view. */}
          <p class="break">
            {toReadableUrl(address).slice(0, -shortCode.length)}
            <wbr />
            {shortCode}
            {key && <span class="soft small">{key}</span>}
          </p>
          <CopyButton text={url} label={t('copy.link')} kind="main" onCopied={key ? copied : undefined} />
        </div>
        <NewTerms {...created} />
        {encryption && <EncryptionNote passphrase={encryption.passphrase} onCopied={copied} />}
        <Secrets {...created} onCopied={copied} />
        {fingerprint !== null && <FirstFingerprint fingerprint={fingerprint} />}
        <div class="actions">
          <LazyCopyMessage created={created} url={url} />
          <button type="button" class="button" onClick={isUncopied ? () => setAsking(true) : onRestart}>
            {t('result.another')}
          </button>
          <a class="button" href={historyPageUrl(shortCode)}>
            {t('history.title')}
          </a>
          <ShareButton url={url} />
        </div>
      </div>
      {isAsking && <SecretDialog onClose={() => setAsking(false)} onDiscard={onRestart} />}
      <LazyQrCode text={url} fileName={`postern-${shortCode}`} />
    </section>
  );
}

/** The password and the secret of the webhook, which no later page shows. */
function Secrets({ password, webhookSecret, onCopied }: NewLink & { onCopied(): void }) {
  const { t } = useI18n();
  return (
    <>
      {password !== '' && (
        <SecretToCopy
          name={t('password')}
          secret={password}
          copyLabel={t('copy.password')}
          note={t('result.passwordOnce')}
        />
      )}
      {webhookSecret !== null && <WebhookSecret secret={webhookSecret} onCopied={onCopied} />}
    </>
  );
}

/** The labels of the link, and the terms on which it can be opened. */
function NewTerms({
  link: { expiresAt, maxViews, confirm },
  type,
  password,
  restrictions,
  encryption,
}: NewLink) {
  const i18n = useI18n();
  const { t, format } = i18n;
  const { label, recipient, tags = [], startsAt, team } = restrictions;
  const time = (at: string): string => `${format.dateTime(new Date(at))} (${format.timeZone})`;
  const expiry = expiresAt === null ? t('expiry.never') : time(expiresAt);
  const optional: [string, string | undefined][] = [
    [t('label'), label],
    [t('recipient'), recipient],
    [t('tags'), tags.join(', ')],
    [t('startsAt'), startsAt && time(startsAt)],
    [t('team'), team],
  ];
  return (
    <Terms
      terms={[
        ...optional.filter((term): term is [string, string] => Boolean(term[1])),
        [t('expiry'), expiry],
        [
          t('views'),
          maxViews === null ? t('views.unlimited') : formatViews({ viewCount: 0, maxViews }, i18n),
        ],
        // "Password None" above a passphrase would seem to be about it.
        ...(password === '' && encryption?.passphrase
          ? []
          : [[t('password'), password === '' ? t('term.none') : t('password.required')] as const]),
        ...(type === 'REQUEST' ? [] : [[t('confirm'), confirm ? t('term.yes') : t('term.no')] as const]),
      ]}
    />
  );
}

/** The fingerprint of the creation: the first that can prove the history to others. */
function FirstFingerprint({ fingerprint }: { fingerprint: string }) {
  const { t } = useI18n();
  return (
    <div class="result-fingerprint small">
      <p>
        <span class="soft">{t('proof.title')}</span>
        <br />
        <code>{fingerprint}</code>
      </p>
      <CopyButton text={fingerprint} label={t('proof.copy')} kind="quiet" />
      <p class="soft">{t('proof.meaning', { count: 1 })}</p>
    </div>
  );
}

/** Opens the device's own share dialog, on devices that have one. */
function ShareButton({ url }: { url: string }) {
  const { t } = useI18n();
  if (!('share' in navigator)) return null;
  // The promise is rejected when the user closes the dialog.
  const share = (): unknown => navigator.share({ url }).catch(() => undefined);
  return (
    <button type="button" class="button" onClick={share}>
      <Icon path={SHARE} />
      {t('share')}
    </button>
  );
}
