import { useI18n } from '../i18n/i18n.tsx';

/** Says that a duplicate lacks the password of its link, which the service does not know. */
export function PasswordNote() {
  return (
    <p class="small" role="status">
      {useI18n().t('duplicate.password')}
    </p>
  );
}
