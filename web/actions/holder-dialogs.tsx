import { useEffect, useState } from 'preact/hooks';
import { FormDialog } from '../form/form-dialog.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { handOver, shareWith, type ToPatch } from '../service/change-links.ts';
import { listNames, listTeams } from '../service/people.ts';
import { ConfirmDialog } from '../shell/dialog.tsx';
import { useSession } from '../shell/session.tsx';

type Props = { count: number; onChoose(toPatch: ToPatch): void; onClose(): void };

/** Asks for the person to whom links are handed over. */
export function OwnerDialog({ count, onChoose, onClose }: Props) {
  const { t } = useI18n();
  const titleOf = useTitle();
  const { caller } = useSession();
  const [names, setNames] = useState<string[] | 'FAILED'>([]);
  const [name, setName] = useState('');
  useEffect(() => {
    void listNames().then((outcome) => setNames(outcome.kind === 'DONE' ? outcome.value.items : 'FAILED'));
  }, []);
  if (names === 'FAILED') return <Failed onClose={onClose} />;
  return (
    <FormDialog
      title={titleOf(t('owner.change'), count)}
      action={name === '' ? undefined : t('owner.change')}
      onSubmit={() => onChoose(handOver(name))}
      onClose={onClose}
    >
      <label class="stacked">
        {t('owner.new')}
        <select value={name} onChange={({ currentTarget: { value } }) => setName(value)}>
          <option value="">{t('owner.choose')}</option>
          {names.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      {!caller?.scopes.includes('manage') && <p class="soft small">{t('owner.hint')}</p>}
    </FormDialog>
  );
}

type TeamProps = Props & { team?: string | null };

/** Asks for the team with which links are shared. */
export function TeamDialog({ count, team = null, onChoose, onClose }: TeamProps) {
  const { t } = useI18n();
  const titleOf = useTitle();
  const [teams, setTeams] = useState<string[] | 'FAILED'>([]);
  const [name, setName] = useState(team ?? '');
  useEffect(() => {
    void listTeams().then((outcome) =>
      setTeams(outcome.kind === 'DONE' ? outcome.value.items.map((each) => each.name) : 'FAILED'),
    );
  }, []);
  if (teams === 'FAILED') return <Failed onClose={onClose} />;
  const offered = [...new Set([...teams, ...(team === null ? [] : [team])])];
  return (
    <FormDialog
      title={titleOf(t('team.share'), count)}
      action={t(name === '' ? 'team.unshare' : 'team.share')}
      onSubmit={() => onChoose(shareWith(name === '' ? null : name))}
      onClose={onClose}
    >
      <label class="stacked">
        {t('team')}
        <select value={name} onChange={({ currentTarget: { value } }) => setName(value)}>
          <option value="">{t('team.none')}</option>
          {offered.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
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
