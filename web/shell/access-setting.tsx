import { useI18n } from '../i18n/i18n.tsx';
import { WithCode } from './with-code.tsx';

/** Says which setting asks everyone for an account or a key, and where it is set. */
export function AccessSetting() {
  const { t } = useI18n();
  return (
    <WithCode
      text={(mark) =>
        t('open.set', {
          setting: mark('app.access=keys'),
          file: mark('/etc/postern/postern.conf'),
          variable: mark('APP_ACCESS=keys'),
          start: mark('npm start -- --app.access=keys'),
        })
      }
    />
  );
}
