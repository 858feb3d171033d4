import { useI18n } from '../i18n/i18n.tsx';

/** Shows or hides what was entered into a masked field. */
export function ShowButton(props: { isVisible: boolean; onChange(isVisible: boolean): void }) {
  const { isVisible, onChange } = props;
  const { t } = useI18n();
  return (
    <button
      type="button"
      class="button button-quiet"
      aria-pressed={isVisible}
      onClick={() => onChange(!isVisible)}
    >
      {t('password.show')}
    </button>
  );
}
