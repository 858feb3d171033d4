import { useI18n } from '../i18n/i18n.tsx';
import type { Entry } from '../service/history.ts';

/** Says which entries the list shows with others: an attempt with the end of its download. */
export function CoverageNotes({ items }: { items: Entry[] }) {
  const { t } = useI18n();
  const hasDownloadEnds = items.some((entry) => entry.kind === 'ATTEMPT' && entry.download !== null);
  return hasDownloadEnds ? <> {t('proof.downloadEnds')}</> : null;
}

/** Explains what a preview is, where entries have one. */
export function PreviewNote({ items }: { items: Entry[] }) {
  const { t } = useI18n();
  const hasPreview = items.some((entry) => entry.kind === 'ATTEMPT' && entry.preview);
  return hasPreview ? <p class="soft small">{t('entry.previewMeaning')}</p> : null;
}
