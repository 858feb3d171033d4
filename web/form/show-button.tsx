import { useI18n } from '../i18n/i18n.tsx';

/** Shows or hides what was entered into a masked field. It says what a press does. */
export function ShowButton(props: { isVisible: boolean; onChange(isVisible: boolean): void }) {
  const { isVisible, onChange } = props;
  const { t } = useI18n();
  return (
    <button type="button" class="button button-quiet" onClick={() => onChange(!isVisible)}>
      {t(isVisible ? 'password.hide' : 'password.show')}
    </button>
  );
}
