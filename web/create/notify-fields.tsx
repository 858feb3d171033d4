import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { useSession } from '../shell/session.tsx';
import type { Draft } from './draft.ts';
import { errorAttributes, type Field, FieldError, type FormError } from './form-error.tsx';

type Props = {
  draft: Draft;
  errorOf(...fields: Field[]): FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

/** Where the events of the link are sent, as far as the service allows it to this user. */
export function NotifyFields({ draft, errorOf, onChange }: Props) {
  const { t } = useI18n();
  const { email = false, url = false } = useSession().settings?.notify ?? {};
  const [isMoreOpen, setMoreOpen] = useState(false);
  const urlError = errorOf('notifyUrl');
  return (
    <>
      {email && (
        <NotifyField
          name="notifyEmail"
          type="email"
          label={t('notify')}
          hint={t('notify.hint')}
          value={draft.notifyEmail}
          error={errorOf('notifyEmail')}
          onInput={(notifyEmail) => onChange({ notifyEmail })}
        />
      )}
      {url && (
        <details
          class="more"
          open={isMoreOpen || urlError !== undefined}
          onToggle={({ currentTarget }) => setMoreOpen(currentTarget.open)}
        >
          <summary>{t('more')}</summary>
          <NotifyField
            name="notifyUrl"
            type="url"
            label={t('notify.url')}
            hint={t('notify.urlHint')}
            value={draft.notifyUrl}
            error={urlError}
            onInput={(notifyUrl) => onChange({ notifyUrl })}
          />
        </details>
      )}
    </>
  );
}

type FieldProps = {
  name: 'notifyEmail' | 'notifyUrl';
  type: 'email' | 'url';
  label: string;
  hint: string;
  value: string;
  error: FormError | undefined;
  onInput(value: string): void;
};

function NotifyField({ name, type, label, hint, value, error, onInput }: FieldProps) {
  const { t } = useI18n();
  const [hintId, errorId] = [`${name}-hint`, `${name}-error`];
  return (
    <div class="option">
      <label class="option-label" for={name}>
        {label}
      </label>
      <div class="option-body">
        <input
          id={name}
          name={name}
          {...(type === 'email' ? { type: 'email' as const } : { type: 'url' as const })}
          value={value}
          class="option-wide"
          autoComplete={type === 'email' ? 'email' : 'off'}
          autoCapitalize="off"
          spellcheck={false}
          placeholder={t('password.none')}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          aria-describedby={hintId}
          {...errorAttributes(`${errorId} ${hintId}`, error)}
        />
        <small id={hintId} class="option-hint soft">
          {hint}
        </small>
        <FieldError id={errorId} error={error} />
      </div>
    </div>
  );
}
