import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { changePerson, listPeople, type Person } from '../service/people.ts';
import { serviceUrl } from '../service/requests.ts';
import { Menu, type MenuItem } from '../shell/menu.tsx';
import { Notice } from '../shell/notice.tsx';
import { useList } from '../shell/use-list.ts';
import { DeactivateDialog } from './deactivate-dialog.tsx';
import { ListHead, ListTable } from './list.tsx';
import { MayText } from './may.tsx';
import { usePeopleTexts } from './people-texts.ts';
import { AddPersonDialog, ChangePersonDialog, PasswordLinkDialog } from './person-dialogs.tsx';

const STATES = {
  ACTIVE: ['ACTIVE', 'status.active'],
  INVITED: ['SCHEDULED', 'people.invited'],
  DEACTIVATED: ['REVOKED', 'people.deactivated'],
} as const satisfies Record<Person['state'], readonly [colour: string, label: MessageKey]>;

type Opened = { action: 'ADD' } | { action: 'CHANGE' | 'LINK' | 'DEACTIVATE'; person: Person };

/** All people, with what an administrator can do with each. */
export function PeopleSection() {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const { items: people, failure, reload } = useList(listPeople);
  const [opened, setOpened] = useState<Opened>();
  const [done, setDone] = useState('');
  const close = (): void => setOpened(undefined);
  const report = (text = ''): void => {
    setDone(text);
    void reload();
  };
  const reactivate = async ({ name, displayName }: Person): Promise<void> => {
    const outcome = await changePerson(name, { isActive: true });
    report(
      outcome.kind === 'DONE' ? peopleT('people.reactivated', { name: displayName }) : t('error.unreachable'),
    );
  };
  const menuOf = (person: Person): MenuItem[] => {
    const item = (label: string, action: 'CHANGE' | 'LINK' | 'DEACTIVATE'): MenuItem => ({
      label,
      onChoose: () => setOpened({ action, person }),
    });
    return person.state === 'DEACTIVATED'
      ? [{ label: peopleT('people.reactivate'), onChoose: () => void reactivate(person) }]
      : [
          item(peopleT('people.change'), 'CHANGE'),
          item(peopleT(person.state === 'INVITED' ? 'people.newInvitation' : 'people.newLink'), 'LINK'),
          item(peopleT('people.deactivate'), 'DEACTIVATE'),
        ];
  };
  return (
    <>
      <ListHead
        title={t('people.title')}
        isPage
        action={t('people.add')}
        failure={failure}
        onAction={() => setOpened({ action: 'ADD' })}
        onRetry={() => void reload()}
      />
      {people && <PeopleTable people={people} menuOf={menuOf} />}
      <Notice text={done} />
      {opened?.action === 'ADD' && <AddPersonDialog onSaved={report} onClose={close} />}
      {opened?.action === 'CHANGE' && (
        <ChangePersonDialog person={opened.person} onSaved={report} onClose={close} />
      )}
      {opened?.action === 'LINK' && <PasswordLinkDialog person={opened.person} onClose={close} />}
      {opened?.action === 'DEACTIVATE' && (
        <DeactivateDialog person={opened.person} people={people ?? []} onDone={report} onClose={close} />
      )}
    </>
  );
}

type TableProps = { people: Person[]; menuOf(person: Person): MenuItem[] };

function PeopleTable({ people, menuOf }: TableProps) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  return (
    <ListTable
      columns={[
        t('signIn.name'),
        peopleT('may.title'),
        t('teams.title'),
        t('column.status'),
        t('column.links'),
      ]}
    >
      {people.map((person) => (
        <PersonRow key={person.name} person={person} menu={menuOf(person)} />
      ))}
    </ListTable>
  );
}

function PersonRow({ person, menu }: { person: Person; menu: MenuItem[] }) {
  const { t, format } = useI18n();
  const peopleT = usePeopleTexts();
  const { name, displayName, email, scopes, teams, state, lastSignInAt, linkCount } = person;
  const [colour, label] = STATES[state];
  return (
    <tr>
      <th scope="row" class="wide-cell">
        <strong>{displayName}</strong>
        {displayName.toLowerCase() !== name && (
          <span class="second-line">{peopleT('people.signInName', { name })}</span>
        )}
        {email !== null && <span class="second-line">{email}</span>}
      </th>
      <td class="wide-cell" data-label={peopleT('may.title')}>
        <MayText scopes={scopes} />
      </td>
      <td class={teams.length === 0 ? 'empty-cell' : 'wide-cell'} data-label={t('teams.title')}>
        {teams.join(', ')}
      </td>
      <td class="wide-cell">
        <span class="badge" data-status={colour}>
          {t(label)}
        </span>
        <span class="second-line">
          {lastSignInAt === null
            ? peopleT('people.noSignIn')
            : peopleT('people.lastSignIn', { time: format.shortDateTime(new Date(lastSignInAt)) })}
        </span>
      </td>
      <td data-label={t('column.links')}>
        <a href={serviceUrl(`links?show=all&owner=${encodeURIComponent(name)}`).href}>
          {format.number(linkCount)}
        </a>
      </td>
      <td class="actions-cell">
        <Menu label={`${peopleT('people.actions')}: ${displayName}`} items={menu} />
      </td>
    </tr>
  );
}
