import { useState } from 'preact/hooks';
import { Field } from '../form/field.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { type Draft, toTargetUrl } from './draft.ts';
import { readUtm, UTM_NAMES, type UtmName } from './utm.ts';

const LABELS = {
  utm_source: 'utm.source',
  utm_medium: 'utm.medium',
  utm_campaign: 'utm.campaign',
  utm_term: 'utm.term',
  utm_content: 'utm.content',
} as const satisfies Record<UtmName, MessageKey>;

type Props = { draft: Draft; onChange(changed: Partial<Draft>): void };

/** The UTM parameters of the target, and the URL that they make of it. Those that it has already are shown. */
export function UtmFields({ draft, onChange }: Props) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(Object.keys(draft.utm).length > 0);
  const { source, utm } = draft;
  if (source.kind !== 'URL') return null;
  const target = toTargetUrl(draft);
  return (
    <details class="more" open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>{t('utm.title')}</summary>
      <div class="column options">
        {UTM_NAMES.map((name) => (
          <Field
            isBeside
            key={name}
            name={name}
            label={t(LABELS[name])}
            value={utm[name] ?? readUtm(source.text, name)}
            onInput={(value) => onChange({ utm: { ...utm, [name]: value } })}
          />
        ))}
        {target !== source.text.trim() && source.text.trim() !== '' && (
          <p class="small break utm-preview">
            {t('utm.preview')} <strong>{target}</strong>
          </p>
        )}
      </div>
    </details>
  );
}
