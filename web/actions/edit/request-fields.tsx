import { Field } from '../../form/field.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import type { FieldProps } from './field-props.ts';

/** The fields of what a file request asks for. */
export function RequestFields({ draft, error, onChange }: FieldProps) {
  const { t } = useI18n();
  const toLimit = (name: 'maxFiles' | 'maxBytes') => ({
    ...{ name, kind: 'numeric' as const, placeholder: t('views.unlimited'), value: draft[name] },
    error: error?.field === name ? { ...error, text: t('request.limitInvalid') } : undefined,
    onInput: (value: string) => onChange({ [name]: value }),
  });
  const missing = draft.requestMessage?.trim() ? {} : { text: t('request.messageMissing') };
  return (
    <>
      <Field
        name="message"
        kind="lines"
        label={t('request.write')}
        value={draft.requestMessage ?? ''}
        error={error?.field === 'message' ? { ...error, ...missing } : undefined}
        onInput={(requestMessage) => onChange({ requestMessage })}
      />
      <div class="edit-pair">
        <Field {...toLimit('maxFiles')} label={t('request.maxFiles')} />
        <Field {...toLimit('maxBytes')} label={t('request.limitMegabytes')} />
      </div>
    </>
  );
}
