import { useI18n } from '../i18n/i18n.tsx';

const SETTING = 'app.access=keys';

/** Says which setting asks everyone for an account or a key. */
export function AccessSetting() {
  const { t } = useI18n();
  const [before, after] = t('open.set', { setting: SETTING }).split(SETTING);
  return (
    <>
      {before}
      <code>{SETTING}</code>
      {after}
    </>
  );
}
