import { useI18n } from '../i18n/i18n.tsx';
import { AccessSetting } from './access-setting.tsx';
import { ConfirmDialog } from './dialog.tsx';

type Props = { onClose(): void };

/** Explains how a service that is open to everyone gets accounts. */
export function OpenDialog({ onClose }: Props) {
  const { t } = useI18n();
  return (
    <ConfirmDialog title={t('open.title')} keep={t('dialog.close')} onConfirm={onClose} onClose={onClose}>
      <ol>
        <li>
          <AccessSetting />
        </li>
        <li>{t('open.address')}</li>
      </ol>
      <p>{t('open.then')}</p>
      <p class="soft">{t('open.why')}</p>
    </ConfirmDialog>
  );
}
