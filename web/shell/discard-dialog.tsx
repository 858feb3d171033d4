import { useI18n } from '../i18n/i18n.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  warning: string;
  /** The labels of the buttons. */
  discard: string;
  keep?: string;
  onDiscard(): void;
  onKeep(): void;
};

/** Asks whether something may be dropped that cannot be restored. */
export function DiscardDialog({ title, warning, discard, keep, onDiscard, onKeep }: Props) {
  const { t } = useI18n();
  return (
    <Dialog title={title} onClose={onKeep}>
      <p>{warning}</p>
      <div class="actions dialog-actions">
        <button type="button" class="button" onClick={onKeep}>
          {keep ?? t('cancel')}
        </button>
        <button type="button" class="button button-danger" onClick={onDiscard}>
          {discard}
        </button>
      </div>
    </Dialog>
  );
}
