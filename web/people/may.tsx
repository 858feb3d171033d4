import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { Scope } from '../service/contract.ts';
import type { ScopeSource } from '../service/people.ts';
import { Checks } from '../shell/choice.tsx';
import type { PeopleMessages, PeopleTranslate } from './people-texts/en.ts';
import { usePeopleTexts } from './people-texts.ts';

/** The scopes with their name and their explanation, the most common first. */
export const MAY_TEXTS = {
  create: ['may.create', 'may.createHint'],
  read: ['may.read', 'may.readHint'],
  manage: ['may.manage', 'may.manageHint'],
  admin: ['may.admin', 'may.adminHint'],
  metrics: ['may.metrics', 'may.metricsHint'],
} as const satisfies Record<Scope, readonly [label: MessageKey, hint: keyof PeopleMessages]>;

// The keys of an exact type.
export const SCOPES = Object.keys(MAY_TEXTS) as Scope[];

/** Lists what a person or a key may do, in few words. */
export function MayText({ scopes }: { scopes: readonly Scope[] }) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const texts = SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => t(MAY_TEXTS[scope][0]));
  return <>{texts.length === 0 ? peopleT('may.nothing') : texts.join(', ')}</>;
}

/** Says which group lets a person do something. */
export function reasonText(
  { group }: Pick<ScopeSource, 'group'>,
  peopleT: PeopleTranslate,
  key: 'may.fromGroup' | 'account.fromGroup',
): string {
  return group === null || group === '*' ? peopleT('may.fromAll') : peopleT(key, { group });
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
  const peopleT = usePeopleTexts();
  return (
    <Checks
      legend={peopleT('may.title')}
      values={SCOPES}
      offered={SCOPES.filter((scope) => offered.includes(scope))}
      chosen={scopes}
      checkOf={(scope) => {
        const [label, hint] = MAY_TEXTS[scope];
        const reason = reasonOf?.(scope);
        return { label: t(label), hint: reason ?? peopleT(hint), isDisabled: reason !== undefined };
      }}
      onChange={onChange}
    />
  );
}
