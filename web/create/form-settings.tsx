import { useState } from 'preact/hooks';
import { SavedSettings } from '../form/saved-settings.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { EXPIRY_LABELS } from './options.tsx';
import { RECENT, readSettings, saveRecent, TEMPLATE, toSettings } from './settings.ts';

type Props = { draft: Draft; onChange(changed: Partial<Draft>): void };

/** The templates of settings. */
export function Templates({ draft, onChange }: Props) {
  const { t } = useI18n();
  return (
    <SavedSettings
      kind="templates"
      label={t('saved.templates')}
      value={toSettings(draft, TEMPLATE)}
      onChoose={(text) => onChange(readSettings(text, TEMPLATE, Date.now()))}
    />
  );
}

/** Says what the form has from the last link, and resets it. `initial`: what the form began with. */
export function RecentSettings({ initial, onChange }: { initial: Draft } & Pick<Props, 'onChange'>) {
  const { t } = useI18n();
  const [isReset, setReset] = useState(false);
  const settings = useRecentTexts(initial);
  if (isReset || settings === '') return null;
  const reset = (): void => {
    setReset(true);
    saveRecent(null);
    onChange(Object.fromEntries(RECENT.map((name) => [name, EMPTY_DRAFT[name]])));
    document.querySelector<HTMLElement>('#targetUrl, #file')?.focus(); // the pressed button disappears
  };
  return (
    <p class="soft small recent-settings">
      {t('recent.note', { settings })}{' '}
      <button type="button" class="button button-quiet" onClick={reset}>
        {t('recent.reset')}
      </button>
    </p>
  );
}

/** Returns the settings that differ from those of an empty form, in words. */
function useRecentTexts({ expiry, confirm, team }: Draft): string {
  const { t } = useI18n();
  const texts = [
    expiry !== null && `${t('expiry')}: ${t(EXPIRY_LABELS[expiry])}`,
    team !== '' && `${t('team')}: ${team}`,
    confirm !== null && `${t('confirm')}: ${t(confirm ? 'term.yes' : 'term.no')}`,
  ];
  return texts.filter(Boolean).join(' · ');
}
