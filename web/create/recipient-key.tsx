import { Field } from '../form/field.tsx';
import type { FormError } from '../form/form-error.tsx';
import { Command } from '../shell/command.tsx';
import { CreateTexts, useCreateTexts } from './create-texts.ts';
import { type Draft, type RequestSource, SECRET_KEY } from './draft.ts';
import './files.css';

type Props = {
  source: RequestSource;
  error: FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

/** The public key to which senders encrypt what a file request asks for, and how to get one. */
export function RecipientKey(props: Props) {
  return (
    <CreateTexts>
      <KeyField {...props} />
    </CreateTexts>
  );
}

function KeyField({ source, error, onChange }: Props) {
  const t = useCreateTexts();
  const isSecret = SECRET_KEY.test(source.recipientKey);
  return (
    <>
      <Field
        isBeside
        name="recipientKey"
        label={t('request.encryptTo')}
        hint={t('request.encryptToHint')}
        placeholder="age1…"
        value={source.recipientKey}
        error={error && { ...error, text: t(isSecret ? 'request.keySecret' : 'request.keyInvalid') }}
        onInput={(recipientKey) => onChange({ source: { ...source, recipientKey } })}
      />
      <div class="option">
        <span class="option-label" aria-hidden="true" />
        <KeyHelp />
      </div>
    </>
  );
}

/** Instructions to make a key, and to open what arrives. */
function KeyHelp() {
  const t = useCreateTexts();
  return (
    <details class="option-body key-help soft small">
      <summary>{t('request.keyHow')}</summary>
      <p>{t('request.keyMake')}</p>
      <Command text="age-keygen -o key.txt" />
      <p>{t('request.keyOpen')}</p>
      <Command text="postern open LINK --identity key.txt" />
      <Command text="curl LINK | age -d -i key.txt | tar x" />
    </details>
  );
}
