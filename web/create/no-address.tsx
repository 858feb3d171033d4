import { useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { useSession } from '../shell/session.tsx';
import { CreateTexts, useCreateTexts } from './create-texts.ts';

/** Stands in the place of the address that is notified, for a person without one. */
export function NoAddress() {
  return (
    <CreateTexts>
      <Note />
    </CreateTexts>
  );
}

function Note() {
  const { t } = useI18n();
  const texts = useCreateTexts();
  const { may } = useSession();
  return (
    <div class="option">
      <span class="option-label">{t('notifyEmail')}</span>
      <p class="option-body option-note soft small">
        {texts('noAddress')}{' '}
        {may('admin') ? <a href={serviceUrl('people').href}>{texts('addAddress')}</a> : texts('askAddress')}
      </p>
    </div>
  );
}
