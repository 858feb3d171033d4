import { useI18n } from '../i18n/i18n.tsx';
import { useSession } from '../shell/session.tsx';
import type { Draft } from './draft.ts';
import type { Field, FormError } from './form-error.tsx';
import { OptionField } from './option-field.tsx';

type Props = {
  draft: Draft;
  errorOf(...fields: Field[]): FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

/** Where mails about the link are sent, if the service allows it to this user. */
export function NotifyField({ draft, errorOf, onChange }: Props) {
  const { t } = useI18n();
  if (!useSession().settings?.notify?.email) return null;
  return (
    <OptionField
      name="notifyEmail"
      type="email"
      label={t('notify')}
      hint={t('notify.hint')}
      value={draft.notifyEmail}
      error={errorOf('notifyEmail')}
      onInput={(notifyEmail) => onChange({ notifyEmail })}
    />
  );
}
