import { useEffect, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { CopyButton } from '../shell/copy-button.tsx';
import { ShareIcon } from '../shell/icons.tsx';
import { describeTerms } from './link-terms.ts';
import { QrCode } from './qr-code.tsx';
import { toShareableUrl } from './shareable-url.ts';
import type { NewLink } from './use-submission.ts';

/** A link just created, to copy, scan or share. */
export function Result({ created, onRestart }: { created: NewLink; onRestart(): void }) {
  const i18n = useI18n();
  const { t } = i18n;
  const { link, title, password, confirm } = created;
  const { shortCode, expiresAt, maxViews } = link;
  const url = toShareableUrl(link, document.baseURI);
  const terms = { expiresAt, maxViews, isProtected: password !== '', confirm };
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
        <p class="link-terms">{describeTerms(terms, i18n)}</p>
        {password !== '' && <PasswordToCopy password={password} />}
        <div class="actions">
          <button type="button" class="button" onClick={onRestart}>
            {t('result.another')}
          </button>
          <ShareButton url={url} />
        </div>
      </div>
      <QrCode text={url} fileName={`postern-${shortCode}`} />
    </section>
  );
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
  const share = async (): Promise<void> => {
    try {
      await navigator.share({ url });
    } catch {
      // The user closed the dialog.
    }
  };
  return (
    <button type="button" class="button" onClick={() => void share()}>
      <ShareIcon />
      {t('share')}
    </button>
  );
}
