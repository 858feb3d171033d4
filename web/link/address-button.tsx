import { useI18n } from '../i18n/i18n.tsx';

/** An address that filters the history when it is pressed. */
export function AddressButton({ address, onChoose }: { address: string; onChoose(address: string): void }) {
  const { t } = useI18n();
  return (
    <button
      type="button"
      class="address"
      title={t('history.onlyAddress', { address })}
      onClick={() => onChoose(address)}
    >
      {address}
    </button>
  );
}
