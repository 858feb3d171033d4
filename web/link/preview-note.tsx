import { useI18n } from '../i18n/i18n.tsx';
import type { Entry } from '../service/history.ts';

/** Explains what a preview is, where entries have one. */
export function PreviewNote({ items }: { items: Entry[] }) {
  const { t } = useI18n();
  const hasPreview = items.some((entry) => entry.kind === 'ATTEMPT' && entry.preview);
  return hasPreview ? <p class="soft small">{t('entry.previewMeaning')}</p> : null;
}
