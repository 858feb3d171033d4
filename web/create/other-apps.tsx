import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { lazy } from '../shell/lazy.tsx';

const OtherAppsText = lazy(async () => (await import('./other-apps-text.tsx')).OtherAppsText);

/** A part that explains how other pages and apps open this page with what they show. */
export function OtherApps() {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="more" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>{t('otherApps.title')}</summary>
      <div class="column options">{isOpen && <OtherAppsText />}</div>
    </details>
  );
}
