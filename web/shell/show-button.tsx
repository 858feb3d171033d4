import { useI18n } from '../i18n/i18n.tsx';

type Props = {
  isVisible: boolean;
  /** The id of the label of the field, where the page has several such buttons. */
  labelId?: string;
  onChange(isVisible: boolean): void;
};

/** Shows or hides what was entered into a masked field. It says what a press does. */
export function ShowButton({ isVisible, labelId, onChange }: Props) {
  const { t } = useI18n();
  return (
    <button
      type="button"
      class="button button-quiet"
      aria-describedby={labelId}
      onClick={() => onChange(!isVisible)}
    >
      {t(isVisible ? 'password.hide' : 'password.show')}
    </button>
  );
}
