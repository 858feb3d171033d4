import { useI18n } from '../i18n/i18n.tsx';

/** Says how an administrator who has no key yet gets one. */
export function KeyCommand() {
  const { t } = useI18n();
  return (
    <>
      {t('signIn.command')} <code>postern keys create me --scopes=create,read,manage,admin</code>
    </>
  );
}
