import { useI18n } from '../i18n/i18n.tsx';

type Props = { count: number; onRevoke(): void; onClear(): void };

/** What can be done with the selected links. */
export function SelectionBar({ count, onRevoke, onClear }: Props) {
  const { t } = useI18n();
  return (
    <section class="card selection-bar" aria-label={t('select.title')}>
      <p role="status">{t('select.count', { count })}</p>
      <button type="button" class="button button-danger" onClick={onRevoke}>
        {t('select.revoke')}
      </button>
      <button type="button" class="button" onClick={onClear}>
        {t('select.clear')}
      </button>
    </section>
  );
}
