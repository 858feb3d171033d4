import { DICE } from '../../src/common/icons.ts';
import { Field } from '../form/field.tsx';
import { generatePassword } from '../form/password.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from '../shell/icon.tsx';
import { useSession } from '../shell/session.tsx';
import { CheckOption } from './check-option.tsx';
import { CreateTexts, useCreateTexts } from './create-texts.ts';
import type { Draft } from './draft.ts';

type Props = { draft: Draft; onChange(changed: Partial<Draft>): void };

/** The choice to encrypt the files or the text before they leave this browser, and the kind of key. */
export function EncryptOption(props: Props) {
  if (useSession().settings?.upload.scanRequired) return null;
  return (
    <CreateTexts>
      <Encrypt {...props} />
    </CreateTexts>
  );
}

function Encrypt({ draft, onChange }: Props) {
  const { t } = useI18n();
  const texts = useCreateTexts();
  return (
    <>
      <CheckOption
        label={t('encrypt')}
        hint={texts(isSecureContext ? 'encrypt.hint' : 'encrypt.needsHttps')}
        isChecked={draft.encrypt}
        isDisabled={!isSecureContext}
        onCheck={(encrypt) => onChange({ encrypt })}
      />
      {draft.encrypt && (
        <div class="column passphrase">
          <Field
            isBeside
            name="passphrase"
            label={t('passphrase')}
            hint={texts('passphrase.hint')}
            value={draft.passphrase}
            onInput={(passphrase) => onChange({ passphrase })}
          />
          <div class="option">
            <span class="option-label" aria-hidden="true" />
            <div class="option-body">
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
          </div>
        </div>
      )}
    </>
  );
}
