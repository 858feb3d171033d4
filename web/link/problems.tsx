import { LINK } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Missing } from '../shell/missing.tsx';

export function UnknownLink() {
  const { t } = useI18n();
  return <Missing icon={LINK} title={t('status.unknown')} text={t('link.unknown')} />;
}
