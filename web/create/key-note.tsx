import { useI18n } from '../i18n/i18n.tsx';
import { UploadTexts } from '../i18n/upload-texts.tsx';

/** Says that the address of an encrypted link, as the service knows it, does not have the key. */
export const KeyNote = () => (
  <UploadTexts>
    <Shown />
  </UploadTexts>
);

function Shown() {
  return <p class="small">{useI18n().t('encrypt.keyMissing')}</p>;
}
