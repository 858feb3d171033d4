import { DICE } from '../../src/common/icons.ts';
import { Field } from '../form/field.tsx';
import { generatePassword } from '../form/password.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Check } from '../shell/choice.tsx';
import { Icon } from '../shell/icon.tsx';
import { useSession } from '../shell/session.tsx';
import type { Draft } from './draft.ts';

type Props = { draft: Draft; onChange(changed: Partial<Draft>): void };

/** The choice to encrypt the files or the text before they leave this browser, and the kind of key. */
export function EncryptOption({ draft, onChange }: Props) {
  const { t } = useI18n();
  if (useSession().settings?.upload.scanRequired) return null;
  return (
    <>
      <Check
        label={t('encrypt')}
        hint={t(isSecureContext ? 'encrypt.hint' : 'encrypt.needsHttps')}
        isChecked={draft.encrypt}
        isDisabled={!isSecureContext}
        onCheck={(encrypt) => onChange({ encrypt })}
      />
      {draft.encrypt && (
        <div class="column passphrase">
          <Field
            name="passphrase"
            label={t('passphrase')}
            hint={t('passphrase.hint')}
            placeholder={t('password.none')}
            value={draft.passphrase}
            onInput={(passphrase) => onChange({ passphrase })}
          />
          <button
            type="button"
            class="button"
            aria-label={`${t('password.generate')}: ${t('passphrase')}`}
            onClick={() => onChange({ passphrase: generatePassword() })}
          >
            <Icon path={DICE} />
            {t('password.generate')}
          </button>
        </div>
      )}
    </>
  );
}
