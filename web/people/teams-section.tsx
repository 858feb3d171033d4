import { useState } from 'preact/hooks';
import { Field } from '../form/field.tsx';
import { FormDialog, useSend } from '../form/form-dialog.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import {
  addTeam,
  changeTeam,
  deleteTeam,
  listNames,
  listTeams,
  type PersonName,
  type Team,
} from '../service/people.ts';
import { serviceUrl } from '../service/requests.ts';
import { Checks } from '../shell/choice.tsx';
import { Menu, type MenuItem } from '../shell/menu.tsx';
import { useList } from '../shell/use-list.ts';
import { ListHead, ListTable } from './list.tsx';
import { usePeopleTexts } from './people-texts.ts';

type Opened = { action: 'ADD' } | { action: 'CHANGE' | 'DELETE'; team: Team };

/** All teams, with what an administrator can do with each. */
export function TeamsSection() {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const { items: teams, failure, reload } = useList(listTeams);
  const { items: people = [] } = useList(listNames);
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  const changed = (): void => {
    close();
    void reload();
  };
  const menuOf = (team: Team): MenuItem[] => [
    { label: peopleT('people.change'), onChoose: () => setOpened({ action: 'CHANGE', team }) },
    { label: peopleT('teams.delete'), onChoose: () => setOpened({ action: 'DELETE', team }) },
  ];
  return (
    <>
      <ListHead
        title={t('teams.title')}
        isPage
        action={peopleT('teams.add')}
        failure={failure}
        onAction={() => setOpened({ action: 'ADD' })}
        onRetry={() => void reload()}
      >
        <p class="soft">{peopleT('teams.hint')}</p>
      </ListHead>
      {teams && teams.length > 0 && (
        <TeamTable teams={teams} displayNames={toDisplayNames(people)} menuOf={menuOf} />
      )}
      {teams?.length === 0 && <p>{peopleT('teams.empty')}</p>}
      {opened?.action === 'ADD' && <TeamDialog onSaved={changed} onClose={close} />}
      {opened?.action === 'CHANGE' && <TeamDialog team={opened.team} onSaved={changed} onClose={close} />}
      {opened?.action === 'DELETE' && (
        <DeleteTeamDialog team={opened.team} onDeleted={changed} onClose={close} />
      )}
    </>
  );
}

type TableProps = {
  teams: Team[];
  displayNames: ReadonlyMap<string, string>;
  menuOf(team: Team): MenuItem[];
};

const toDisplayNames = (people: PersonName[]): ReadonlyMap<string, string> =>
  new Map(people.map(({ name, displayName }) => [name, displayName]));

function TeamTable({ teams, displayNames, menuOf }: TableProps) {
  const { t, format } = useI18n();
  const peopleT = usePeopleTexts();
  return (
    <ListTable columns={[t('signIn.name'), peopleT('teams.members'), t('column.links')]}>
      {teams.map((team) => (
        <tr key={team.name}>
          <th scope="row" class="wide-cell">
            <strong>{team.name}</strong>
          </th>
          <td class="wide-cell" data-label={peopleT('teams.members')}>
            {team.members.map((name) => displayNames.get(name) ?? name).join(', ') || '–'}
          </td>
          <td data-label={t('column.links')}>
            <a href={linksUrl(team)}>{format.number(team.linkCount)}</a>
          </td>
          <td class="actions-cell">
            <Menu label={`${peopleT('people.actions')}: ${team.name}`} items={menuOf(team)} />
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

function linksUrl({ name }: Team): string {
  return serviceUrl(`links?team=${encodeURIComponent(name)}`).href;
}

type DialogProps = { team?: Team; onSaved(): void; onClose(): void };

/** Creates a team, or changes its name and its members. */
function TeamDialog({ team, onSaved, onClose }: DialogProps) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const [name, setName] = useState(team?.name ?? '');
  const [members, setMembers] = useState<string[]>(team?.members ?? []);
  const { items: active = [] } = useList(listNames);
  const displayNames = toDisplayNames(active);
  const people = [...new Set([...displayNames.keys(), ...(team?.members ?? [])])];
  const { form, send } = useSend(name);
  const save = async (): Promise<void> => {
    const given = { name: name.trim(), members };
    if (await send(team ? changeTeam(team.name, given) : addTeam(given))) onSaved();
  };
  return (
    <FormDialog
      title={team ? peopleT('people.changeTitle', { name: team.name }) : peopleT('teams.add')}
      action={peopleT(team ? 'people.save' : 'teams.add')}
      onSubmit={() => void save()}
      onClose={onClose}
      {...form}
    >
      <Field kind="verbatim" name="team-name" label={t('signIn.name')} value={name} onInput={setName} />
      <Checks
        legend={peopleT('teams.members')}
        values={people}
        chosen={members}
        checkOf={(name) => ({ label: displayNames.get(name) ?? name })}
        onChange={setMembers}
      />
    </FormDialog>
  );
}

type DeleteProps = { team: Team; onDeleted(): void; onClose(): void };

/** Deletes a team with which no link is shared. */
function DeleteTeamDialog({ team, onDeleted, onClose }: DeleteProps) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const { name, linkCount } = team;
  const { form, send } = useSend();
  const remove = async (): Promise<void> => {
    if (await send(deleteTeam(name))) onDeleted();
  };
  return (
    <FormDialog
      title={peopleT('teams.deleteTitle', { name })}
      action={linkCount > 0 ? undefined : peopleT('teams.delete')}
      keep={linkCount > 0 ? t('dialog.close') : undefined}
      isDangerous
      onSubmit={() => void remove()}
      onClose={onClose}
      {...form}
    >
      {linkCount === 0 && <p>{peopleT('teams.deleteText')}</p>}
      {linkCount > 0 && (
        <p>
          {peopleT('teams.hasLinks', { count: linkCount })}{' '}
          <a href={linksUrl(team)}>{peopleT('teams.showLinks')}</a>
        </p>
      )}
    </FormDialog>
  );
}
