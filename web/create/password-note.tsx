import { useI18n } from '../i18n/i18n.tsx';
import { UploadTexts } from '../i18n/upload-texts.tsx';

/** Says that a duplicate lacks the password of its link, which the service does not know. */
export const PasswordNote = () => (
  <UploadTexts>
    <Shown />
  </UploadTexts>
);

function Shown() {
  return (
    <p class="small" role="status">
      {useI18n().t('duplicate.password')}
    </p>
  );
}
