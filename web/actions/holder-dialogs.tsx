import { useState } from 'preact/hooks';
import { FormDialog } from '../form/form-dialog.tsx';
import { SelectField, toOptions } from '../form/select.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { handOver, shareWith, type ToPatch } from '../service/change-links.ts';
import { listNames, listTeams } from '../service/people.ts';
import { ConfirmDialog } from '../shell/dialog.tsx';
import { useSession } from '../shell/session.tsx';
import { useList } from '../shell/use-list.ts';

type Props = { count: number; onChoose(toPatch: ToPatch): void; onClose(): void };

/** Asks for the person to whom links are handed over. */
export function OwnerDialog({ count, onChoose, onClose }: Props) {
  const { t } = useI18n();
  const titleOf = useTitle();
  const { caller } = useSession();
  const { items: names = [], failure } = useList(listNames);
  const [name, setName] = useState('');
  if (failure) return <Failed onClose={onClose} />;
  return (
    <FormDialog
      title={titleOf(t('owner.change'), count)}
      action={name === '' ? undefined : t('owner.change')}
      onSubmit={() => onChoose(handOver(name))}
      onClose={onClose}
    >
      <SelectField
        label={t('owner.new')}
        options={toOptions(t('owner.choose'), names)}
        value={name}
        onChoose={setName}
      />
      {!caller?.scopes.includes('manage') && <p class="soft small">{t('owner.hint')}</p>}
    </FormDialog>
  );
}

type TeamProps = Props & { team?: string | null };

/** Asks for the team with which links are shared. */
export function TeamDialog({ count, team = null, onChoose, onClose }: TeamProps) {
  const { t } = useI18n();
  const titleOf = useTitle();
  const { items: teams = [], failure } = useList(listTeams);
  const [name, setName] = useState(team ?? '');
  if (failure) return <Failed onClose={onClose} />;
  const names = [...new Set([...teams.map((each) => each.name), ...(team === null ? [] : [team])])];
  return (
    <FormDialog
      title={titleOf(t('team.share'), count)}
      action={t(name === '' ? 'team.unshare' : 'team.share')}
      onSubmit={() => onChoose(shareWith(name === '' ? null : name))}
      onClose={onClose}
    >
      <SelectField
        label={t('team')}
        options={toOptions(t('team.none'), names)}
        value={name}
        onChoose={setName}
      />
      <p class="soft small">{t('team.hint')}</p>
    </FormDialog>
  );
}

/** Returns a function that adds the number of links to a title, unless it is one. */
function useTitle() {
  const { t } = useI18n();
  return (title: string, count: number): string =>
    count === 1 ? title : `${title} (${t('select.count', { count })})`;
}

function Failed({ onClose }: { onClose(): void }) {
  const { t } = useI18n();
  return <ConfirmDialog title={t('error.unreachable')} onConfirm={onClose} onClose={onClose} />;
}
