import { useEffect } from 'preact/hooks';
import { Select, toOptions } from '../form/select.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { useSession } from '../shell/session.tsx';
import type { Draft } from './draft.ts';

type Props = { draft: Draft; onChange(changed: Partial<Draft>): void };

/** The team with which the link is shared. */
export function TeamOption({ draft, onChange }: Props) {
  const { t } = useI18n();
  const teams = useSession().caller?.teams ?? [];
  useEffect(() => {
    // A template may be of a team that the user has left.
    if (draft.team !== '' && !teams.includes(draft.team)) onChange({ team: '' });
  }, [draft.team]);
  if (teams.length === 0) return null;
  return (
    <div class="option">
      <label class="option-label" for="team">
        {t('team')}
      </label>
      <div class="option-body">
        <Select
          id="team"
          class="option-wide"
          aria-describedby="team-hint"
          options={toOptions(t('team.none'), teams)}
          value={draft.team}
          onChoose={(team) => onChange({ team })}
        />
        <small id="team-hint" class="option-hint soft">
          {t('team.hint')}
        </small>
      </div>
    </div>
  );
}
