import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { Scope } from '../service/contract.ts';
import type { ScopeSource } from '../service/people.ts';
import { Check } from '../shell/choice.tsx';

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
    <fieldset class="bare checks">
      <legend>{t('may.title')}</legend>
      {SCOPES.filter((scope) => offered.includes(scope)).map((scope) => {
        const [label, hint] = MAY_TEXTS[scope];
        const reason = reasonOf?.(scope);
        return (
          <Check
            key={scope}
            label={t(label)}
            hint={reason ?? t(hint)}
            isChecked={scopes.includes(scope)}
            isDisabled={reason !== undefined}
            onCheck={(isChecked) =>
              onChange(SCOPES.filter((each) => (each === scope ? isChecked : scopes.includes(each))))
            }
          />
        );
      })}
    </fieldset>
  );
}

type NamesProps = {
  legend: string;
  names: readonly string[];
  chosen: readonly string[];
  onChange(chosen: string[]): void;
};

/** Check boxes for several of some names: teams of a person, or members of a team. */
export function NameChecks({ legend, names, chosen, onChange }: NamesProps) {
  if (names.length === 0) return null;
  return (
    <fieldset class="bare checks">
      <legend>{legend}</legend>
      {names.map((name) => (
        <Check
          key={name}
          label={name}
          isChecked={chosen.includes(name)}
          onCheck={(isChecked) =>
            onChange(names.filter((each) => (each === name ? isChecked : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}
