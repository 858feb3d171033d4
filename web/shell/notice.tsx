import { useI18n } from '../i18n/i18n.tsx';

/** Reports what has just happened, and offers to undo it. Without a text it is empty, so that a reader announces it. */
export function Notice({ text, onUndo }: { text: string | undefined; onUndo?: (() => void) | undefined }) {
  const { t } = useI18n();
  return (
    <div class="row notice" data-shown={text ? '' : undefined}>
      <p role="status">{text}</p>
      {text && onUndo && (
        <button type="button" class="button button-quiet" onClick={onUndo}>
          {t('undo')}
        </button>
      )}
    </div>
  );
}
