import { canHave } from '../../../src/core/model/terms.ts';
import { Field } from '../../form/field.tsx';
import type { Field as FieldName } from '../../form/form-error.tsx';
import { PasswordError, PasswordInput } from '../../form/password-field.tsx';
import { type FieldTerm, FLAGS, hintKeyOf, inputKindOf, TYPED_TERMS } from '../../form/term-fields.ts';
import { startHint } from '../../form/typed-values.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import type { MessageKey } from '../../i18n/translate.ts';
import { Check, Choice } from '../../shell/choice.tsx';
import { useSession } from '../../shell/session.tsx';
import { TooFewViews } from '../too-few-views.tsx';
import { type EditDraft, maxViewsHint, type PasswordChange } from './edit-draft.ts';
import type { FieldProps } from './field-props.ts';
import { RequestFields } from './request-fields.tsx';

/** The fields of the form that changes a link. */
export function EditFields(props: FieldProps) {
  const { t, format } = useI18n();
  const { link, draft } = props;
  const field = toField(props);
  const maxViews = Number(draft.maxViews); // 0 for none
  const { notify } = useSession().settings ?? {};
  // A receiver that the link has can be removed by every user who may change the link.
  const isOffered = (name: FieldTerm) =>
    canHave(link.type, name) &&
    (name !== 'verifiedRecipients' || notify?.verifiedRecipients || link.verifiedRecipients?.length) &&
    (name !== 'notifyEmail' || notify?.email || link.notifyEmail) &&
    (name !== 'notifyUrl' || notify?.url || link.notifyUrl);
  return (
    <>
      {draft.targetUrl !== null && (
        <Field {...field('targetUrl')} label={t('edit.target')} value={draft.targetUrl} kind="url" />
      )}
      {draft.requestMessage !== null && <RequestFields {...props} />}
      <TermField {...props} name="label" />
      <div class="edit-pair">
        <Field
          {...field('startsAt')}
          label={t('startsAt')}
          hint={t(startHint(draft.startsAt, Date.now()))}
          value={draft.startsAt}
          kind="datetime-local"
        />
        <Field
          {...field('expiresAt')}
          label={t('expiry')}
          hint={`${t('edit.expiryHint')} ${t('times.zone', { zone: format.timeZone })}.`}
          value={draft.expiresAt}
          kind="datetime-local"
        />
      </div>
      <Field
        {...field('maxViews')}
        label={t('edit.maxViews')}
        hint={t(maxViewsHint(draft.maxViews, link.viewCount), { count: link.viewCount })}
        value={draft.maxViews}
        kind="numeric"
      />
      {maxViews > 0 && <TooFewViews verifiedRecipients={draft.verifiedRecipients} maxViews={maxViews} />}
      <PasswordFields {...props} />
      <Checks {...props} />
      {TYPED_TERMS.filter((name) => name !== 'label' && isOffered(name)).map((name) => (
        <TermField key={name} {...props} name={name} />
      ))}
    </>
  );
}

/** Returns a function that returns what the field of a term needs besides its texts. */
function toField({ error, onChange }: FieldProps) {
  return (name: FieldName & keyof EditDraft) => ({
    name,
    error: error?.field === name ? error : undefined,
    onInput: (value: string) => onChange({ [name]: value }),
  });
}

/** The field of a term that is typed. */
function TermField({ name, ...props }: FieldProps & { name: FieldTerm }) {
  const { t } = useI18n();
  const hasAccount = useSession().caller?.hasSession === true;
  const value = String(props.draft[name]);
  const texts = { label: t(name), hint: name === 'label' ? undefined : t(hintKeyOf(name, hasAccount)) };
  return <Field {...toField(props)(name)} {...texts} value={value} kind={inputKindOf(name) ?? 'text'} />;
}

const PASSWORD_LABELS = {
  KEEP: 'edit.passwordKeep',
  SET: 'edit.passwordChange',
  REMOVE: 'edit.passwordRemove',
} as const satisfies Record<PasswordChange, MessageKey>;

function PasswordFields({ link, draft, error, onChange }: FieldProps) {
  const { t } = useI18n();
  const { passwordProtected } = link;
  const labelOf = (change: PasswordChange): string =>
    passwordProtected ? t(PASSWORD_LABELS[change]) : t(change === 'KEEP' ? 'term.none' : 'edit.passwordSet');
  const ownError = error?.field === 'password' ? error : undefined;
  return (
    <Choice
      legend={t('password')}
      name="passwordChange"
      values={passwordProtected ? ['KEEP', 'SET', 'REMOVE'] : ['KEEP', 'SET']}
      value={draft.passwordChange}
      labelOf={labelOf}
      onChoose={(passwordChange) => onChange({ passwordChange })}
    >
      {draft.passwordChange === 'SET' && (
        <PasswordInput
          password={draft.password}
          label={t('edit.passwordNew')}
          placeholder={t('edit.passwordNew')}
          isVisible
          error={ownError}
          onChange={(password) => onChange({ password })}
        />
      )}
      <PasswordError error={ownError} />
    </Choice>
  );
}

function Checks({ link, draft, onChange }: FieldProps) {
  const { t } = useI18n();
  return (
    <div>
      {link.type !== 'REQUEST' && (
        <Check
          label={t('confirm')}
          hint={t('confirm.hint')}
          isChecked={draft.confirm}
          onCheck={(confirm) => onChange({ confirm })}
        />
      )}
      <Check
        label={t('edit.paused')}
        hint={t('edit.pausedHint')}
        isChecked={draft.paused}
        onCheck={(paused) => onChange({ paused })}
      />
      {FLAGS.filter((name) => canHave(link.type, name)).map((name) => (
        <Check
          key={name}
          label={t(name)}
          hint={t(`${name}.hint`)}
          isChecked={draft[name] === true}
          onCheck={(isChecked) => onChange({ [name]: isChecked })}
        />
      ))}
    </div>
  );
}
