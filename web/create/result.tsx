import { useEffect, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { CopyButton } from '../shell/copy-button.tsx';
import { ShareIcon } from '../shell/icons.tsx';
import type { MadeLink } from './link-form.tsx';
import { describeTerms } from './link-terms.ts';
import { QrCode } from './qr-code.tsx';

/** The link that was made: to be copied, shown to a camera or handed on, and what will become of it. */
export function Result({ made, onAnother }: { made: MadeLink; onAnother(): void }) {
  const i18n = useI18n();
  const { t } = i18n;
  const { link, title, password, confirm } = made;
  const { accessUrl, shortCode, expiresAt, maxViews } = link;
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
          {/* Not a link: to follow it would be a view. */}
          <p>
            {accessUrl.slice(0, -shortCode.length)}
            <wbr />
            {shortCode}
          </p>
          <CopyButton text={accessUrl} label={t('copy.link')} kind="main" />
        </div>
        <p class="fate">
          {describeTerms({ expiresAt, maxViews, isProtected: password !== '', confirm }, i18n)}
        </p>
        {password !== '' && (
          <div class="result-password">
            <p>
              <small class="soft">{t('result.password')}</small>
              <br />
              <code>{password}</code>
            </p>
            <CopyButton text={password} label={t('copy.password')} kind="quiet" />
          </div>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={onAnother}>
            {t('result.another')}
          </button>
          <ShareButton accessUrl={accessUrl} />
        </div>
      </div>
      <QrCode text={accessUrl} fileName={`postern-${shortCode}`} />
    </section>
  );
}

/** Only where the device has a way of handing links on. */
function ShareButton({ accessUrl }: { accessUrl: string }) {
  const { t } = useI18n();
  if (!('share' in navigator)) return null;
  const share = async (): Promise<void> => {
    try {
      await navigator.share({ url: accessUrl });
    } catch {
      // The reader thought better of it.
    }
  };
  return (
    <button type="button" class="button" onClick={() => void share()}>
      <ShareIcon />
      {t('share')}
    </button>
  );
}
