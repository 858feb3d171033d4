import { useState } from 'preact/hooks';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import { Field } from '../form/field.tsx';
import { FormDialog, useSend } from '../form/form-dialog.tsx';
import { SelectField, toOptions } from '../form/select.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { Scope } from '../service/contract.ts';
import {
  addKey,
  type Key,
  listKeys,
  listNames,
  listPeople,
  type Person,
  type PersonName,
  revokeKey,
} from '../service/people.ts';
import { Choice } from '../shell/choice.tsx';
import { LINK_STATUS_LABELS } from '../shell/labels.ts';
import { Menu } from '../shell/menu.tsx';
import { useSession } from '../shell/session.tsx';
import { Time } from '../shell/time.tsx';
import { useList } from '../shell/use-list.ts';
import { ListHead, ListTable } from './list.tsx';
import { MayChecks, MayText, SCOPES } from './may.tsx';
import { usePeopleTexts } from './people-texts.ts';
import { SecretOnce } from './secret-once.tsx';

type Opened = { action: 'ADD' } | { action: 'REVOKE'; key: Key };

/** API keys with what can be done with each: those of the user, or all. */
export function KeysSection({ isAll }: { isAll: boolean }) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const { caller } = useSession();
  const { items, failure, reload } = useList(listKeys);
  const { items: people = [] } = useList(isAll ? listNames : undefined);
  const keys = items?.filter(({ owner }) => isAll || owner === caller?.name);
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  return (
    <>
      <ListHead
        title={t('apiKeys.title')}
        isPage={isAll}
        action={peopleT('apiKeys.add')}
        failure={failure}
        onAction={() => setOpened({ action: 'ADD' })}
        onRetry={() => void reload()}
      >
        <p class="soft">{peopleT(isAll ? 'apiKeys.hintAll' : 'apiKeys.hint')}</p>
      </ListHead>
      {keys && keys.length > 0 && (
        <KeyTable {...{ keys, people, isAll }} onRevoke={(key) => setOpened({ action: 'REVOKE', key })} />
      )}
      {keys?.length === 0 && <p>{peopleT('apiKeys.empty')}</p>}
      {opened?.action === 'ADD' && (
        <AddKeyDialog isAll={isAll} onAdded={() => void reload()} onClose={close} />
      )}
      {opened?.action === 'REVOKE' && (
        <RevokeKeyDialog
          name={opened.key.name}
          onRevoked={() => {
            close();
            void reload();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

type TableProps = { keys: Key[]; people: PersonName[]; isAll: boolean; onRevoke(key: Key): void };

function KeyTable({ keys, people, isAll, onRevoke }: TableProps) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  return (
    <ListTable
      columns={[
        t('signIn.name'),
        ...(isAll ? [peopleT('apiKeys.owner')] : []),
        peopleT('may.title'),
        t('column.status'),
        peopleT('apiKeys.lastUsed'),
      ]}
    >
      {keys.map((key) => (
        <KeyRow
          key={key.name}
          record={key}
          owner={people.find(({ name }) => name === key.owner)?.displayName ?? key.owner}
          isAll={isAll}
          onRevoke={() => onRevoke(key)}
        />
      ))}
    </ListTable>
  );
}

type RowProps = { record: Key; owner: string | null; isAll: boolean; onRevoke(): void };

function KeyRow({ record, owner, isAll, onRevoke }: RowProps) {
  const { t, format } = useI18n();
  const peopleT = usePeopleTexts();
  const { name, scopes, effectiveScopes, state, expiresAt, lastUsedAt } = record;
  const isLimited = state === 'ACTIVE' && effectiveScopes.length < scopes.length;
  return (
    <tr>
      <th scope="row" class="wide-cell">
        <strong>{name}</strong>
      </th>
      {isAll && <td data-label={peopleT('apiKeys.owner')}>{owner ?? peopleT('apiKeys.service')}</td>}
      <td class="wide-cell" data-label={peopleT('may.title')}>
        <MayText scopes={isLimited ? effectiveScopes : scopes} />
        {isLimited && <span class="second-line">{peopleT('apiKeys.limited')}</span>}
      </td>
      <td class="wide-cell">
        <span class="badge" data-status={state}>
          {t(LINK_STATUS_LABELS[state])}
        </span>
        {state === 'ACTIVE' && (
          <span class="second-line">
            {expiresAt === null
              ? peopleT('apiKeys.noEnd')
              : peopleT('apiKeys.until', { time: format.date(new Date(expiresAt)) })}
          </span>
        )}
      </td>
      <td data-label={peopleT('apiKeys.lastUsed')}>
        {lastUsedAt === null ? peopleT('people.never') : <Time at={lastUsedAt} text={format.shortDateTime} />}
      </td>
      <td class="actions-cell">
        {state === 'ACTIVE' && (
          <Menu
            label={`${peopleT('people.actions')}: ${name}`}
            items={[{ label: peopleT('apiKeys.revoke'), onChoose: onRevoke }]}
          />
        )}
      </td>
    </tr>
  );
}

const LIFETIMES = ['30', '90', '365', ''] as const;
/** Belongs to no person. No person can have this name. */
const SERVICE = '';

type AddProps = { isAll: boolean; onAdded(): void; onClose(): void };

/** The typed and chosen values of a new key. */
type KeyDraft = { name: string; owner: string; scopes: Scope[]; days: (typeof LIFETIMES)[number] };

/** Creates a key, and shows it once. */
function AddKeyDialog({ isAll, onAdded, onClose }: AddProps) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const [draft, setDraft] = useState<KeyDraft>({ name: '', owner: SERVICE, scopes: ['create'], days: '90' });
  const [added, setAdded] = useState<string>();
  const { name, owner, days } = draft;
  const { form, send } = useSend(name);
  const { items: known = [] } = useList(isAll ? listPeople : undefined);
  const people = known.filter((each) => each.state !== 'DEACTIVATED');
  const allowed = useAllowedScopes(isAll, owner, people);
  if (added !== undefined)
    return (
      <SecretOnce
        title={peopleT('apiKeys.addedTitle', { name })}
        secret={added}
        copyLabel={t('copy.key')}
        note={peopleT('apiKeys.once')}
        onClose={onClose}
      />
    );
  const add = async (): Promise<void> => {
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const saved = await send(
      addKey({
        name: name.trim(),
        scopes: draft.scopes.filter((scope) => allowed.includes(scope)),
        expiresAt,
        ...(isAll && { owner: owner === SERVICE ? null : owner }),
      }),
    );
    if (!saved) return;
    setAdded(saved.key);
    onAdded();
  };
  const change = (part: Partial<KeyDraft>): void => setDraft((now) => ({ ...now, ...part }));
  return (
    <FormDialog
      title={peopleT('apiKeys.add')}
      action={peopleT('apiKeys.add')}
      onSubmit={() => void add()}
      onClose={onClose}
      {...form}
    >
      <KeyFields {...{ draft, allowed }} people={isAll ? people : undefined} onChange={change} />
    </FormDialog>
  );
}

/** Returns what a key can be allowed: as much as its owner may do, and everything for one of the service. */
function useAllowedScopes(isAll: boolean, owner: string, people: Person[]): readonly Scope[] {
  const { caller } = useSession();
  if (!isAll) return caller?.scopes ?? [];
  return owner === SERVICE ? SCOPES : (people.find((each) => each.name === owner)?.scopes ?? []);
}

type KeyFieldsProps = {
  draft: KeyDraft;
  allowed: readonly Scope[];
  /** Among whom the owner is chosen. Without them the key is that of the user. */
  people: Person[] | undefined;
  onChange(part: Partial<KeyDraft>): void;
};

function KeyFields({ draft, allowed, people, onChange }: KeyFieldsProps) {
  const { t, format } = useI18n();
  const peopleT = usePeopleTexts();
  return (
    <>
      <Field
        kind="verbatim"
        name="key-name"
        label={t('signIn.name')}
        hint={peopleT('apiKeys.nameHint')}
        value={draft.name}
        onInput={(name) => onChange({ name })}
      />
      {people && (
        <SelectField
          label={peopleT('apiKeys.owner')}
          options={toOptions(peopleT('apiKeys.service'), people)}
          value={draft.owner}
          onChoose={(owner) => onChange({ owner })}
        >
          <small class="soft">
            {peopleT(draft.owner === SERVICE ? 'apiKeys.serviceHint' : 'apiKeys.personHint')}
          </small>
        </SelectField>
      )}
      <MayChecks offered={allowed} scopes={draft.scopes} onChange={(scopes) => onChange({ scopes })} />
      <Choice
        legend={peopleT('apiKeys.expires')}
        name="lifetime"
        values={LIFETIMES}
        value={draft.days}
        labelOf={(each) => (each === '' ? peopleT('people.never') : format.amount(Number(each), 'day'))}
        onChoose={(days: KeyDraft['days']) => onChange({ days })}
      />
    </>
  );
}

type RevokeProps = { name: string; onRevoked(): void; onClose(): void };

function RevokeKeyDialog({ name, onRevoked, onClose }: RevokeProps) {
  const peopleT = usePeopleTexts();
  const { form, send } = useSend();
  const revoke = async (): Promise<void> => {
    if (await send(revokeKey(name))) onRevoked();
  };
  return (
    <FormDialog
      title={peopleT('apiKeys.revokeTitle', { name })}
      action={peopleT('apiKeys.revoke')}
      isDangerous
      onSubmit={() => void revoke()}
      onClose={onClose}
      {...form}
    >
      <p>{peopleT('apiKeys.revokeText')}</p>
    </FormDialog>
  );
}
