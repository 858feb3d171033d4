import { useEffect, useRef } from 'preact/hooks';
import { SHARE } from '../../src/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { historyPageUrl } from '../service/links.ts';
import { serviceUrl } from '../service/requests.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { Icon } from '../shell/icon.tsx';
import { QrCode } from './qr-code.tsx';
import { toShareableUrl } from './shareable-url.ts';
import type { NewLink } from './use-submission.ts';

/** A link just created, to copy, scan or share. */
export function Result({ created, onRestart }: { created: NewLink; onRestart(): void }) {
  const { t } = useI18n();
  const { link, title, password } = created;
  const { shortCode } = link;
  const url = toShareableUrl(link, serviceUrl('').href);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card result" aria-labelledby="result-title">
      <div class="result-main">
        <h1 id="result-title" ref={heading} tabIndex={-1}>
          {t('result.title')}
        </h1>
        <p class="result-source soft">{title}</p>
        <div class="result-link">
          {/* Plain text: following a link would use up a view. */}
          <p>
            {url.slice(0, -shortCode.length)}
            <wbr />
            {shortCode}
          </p>
          <CopyButton text={url} label={t('copy.link')} kind="main" />
        </div>
        <Terms {...created} />
        {password !== '' && <PasswordToCopy password={password} />}
        <div class="actions">
          <button type="button" class="button" onClick={onRestart}>
            {t('result.another')}
          </button>
          <a class="button" href={historyPageUrl(shortCode)}>
            {t('history.title')}
          </a>
          <ShareButton url={url} />
        </div>
      </div>
      <QrCode text={url} fileName={`postern-${shortCode}`} />
    </section>
  );
}

/** Describes how the link may be opened, in one short sentence per restriction. */
function Terms({ link: { expiresAt, maxViews, confirm }, password }: NewLink) {
  const { t, format } = useI18n();
  const until = expiresAt && format.dateTime(new Date(expiresAt));
  const sentences = [
    until === null ? t('terms.noExpiry') : t('terms.expiry', { until }),
    maxViews !== null && t('terms.views', { count: maxViews }),
    password !== '' && t('terms.password'),
    confirm && t('terms.confirm'),
  ];
  return <p class="link-terms">{sentences.filter(Boolean).join(' ')}</p>;
}

function PasswordToCopy({ password }: { password: string }) {
  const { t } = useI18n();
  return (
    <div class="result-password">
      <p>
        <small class="soft">{t('password')}</small>
        <br />
        <code>{password}</code>
      </p>
      <CopyButton text={password} label={t('copy.password')} kind="quiet" />
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
