import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { lazy } from './lazy.tsx';

const LazyHelp = lazy(async () => (await import('./help/help-dialog.tsx')).HelpDialog);

type Props = {
  /** True where the user can read the API reference on the port of the page. */
  hasReference: boolean;
};

/** The end of a page: help, and what needs no sign-in. */
export function SiteFooter({ hasReference }: Props) {
  const { t } = useI18n();
  const [isHelpOpen, setHelpOpen] = useState(false);
  return (
    <>
      <footer class="row small site-footer">
        <button type="button" class="footer-button" onClick={() => setHelpOpen(true)}>
          {t('help.title')}
        </button>
        <a href={serviceUrl('verify').href}>{t('verify.title')}</a>
        {hasReference && <a href={serviceUrl('docs').href}>{t('footer.reference')}</a>}
      </footer>
      {isHelpOpen && <LazyHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}
