import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { Scope } from '../service/contract.ts';
import type { ScopeSource } from '../service/people.ts';
import { Checks } from '../shell/choice.tsx';

/** The scopes with their name and their explanation, the most common first. */
export const MAY_TEXTS = {
  create: ['may.create', 'may.createHint'],
  read: ['may.read', 'may.readHint'],
  manage: ['may.manage', 'may.manageHint'],
  admin: ['may.admin', 'may.adminHint'],
  metrics: ['may.metrics', 'may.metricsHint'],
} as const satisfies Record<Scope, readonly [MessageKey, MessageKey]>;

// The keys of an exact type.
export const SCOPES = Object.keys(MAY_TEXTS) as Scope[];

/** Lists what a person or a key may do, in few words. */
export function MayText({ scopes }: { scopes: readonly Scope[] }) {
  const { t } = useI18n();
  const texts = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => t(MAY_TEXTS[scope][0]));
  return <>{texts.length === 0 ? t('may.nothing') : texts.join(', ')}</>;
}

/** Says which group lets a person do something. */
export function reasonText(
  { group }: Pick<ScopeSource, 'group'>,
  t: Translate,
  key: 'may.fromGroup' | 'account.fromGroup',
): string {
  return group === null || group === '*' ? t('may.fromAll') : t(key, { group });
}

type Props = {
  offered: readonly Scope[];
  scopes: readonly Scope[];
  /** Explains why a scope cannot be changed here. */
  reasonOf?: (scope: Scope) => string | undefined;
  onChange(scopes: Scope[]): void;
};

/** Check boxes for what a person or a key may do. */
export function MayChecks({ offered, scopes, reasonOf, onChange }: Props) {
  const { t } = useI18n();
  return (
    <Checks
      legend={t('may.title')}
      values={SCOPES}
      offered={SCOPES.filter((scope) => offered.includes(scope))}
      chosen={scopes}
      checkOf={(scope) => {
        const [label, hint] = MAY_TEXTS[scope];
        const reason = reasonOf?.(scope);
        return { label: t(label), hint: reason ?? t(hint), isDisabled: reason !== undefined };
      }}
      onChange={onChange}
    />
  );
}
