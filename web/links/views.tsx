import { useI18n } from '../i18n/i18n.tsx';
import type { LinkFilter } from '../service/link-list.ts';
import { useSession } from '../shell/session.tsx';
import { useListTexts } from './list-texts.ts';

type View = Pick<LinkFilter, 'show' | 'team'>;

/** The choice between own links, all links and those of each team, as far as the user has several. */
export function Views({ shown, onChoose }: { shown: LinkFilter; onChoose(view: View): void }) {
  const { t } = useI18n();
  const texts = useListTexts();
  const { caller } = useSession();
  const seesAll = caller?.scopes.includes('read');
  const views: [label: string, view: View][] = [
    [t('board.mine'), { show: 'mine', team: '' }],
    ...(seesAll ? ([[t('board.links'), { show: 'all', team: '' }]] as [string, View][]) : []),
    ...(caller?.teams ?? []).map((team): [string, View] => [team, { show: '', team }]),
  ];
  if (views.length === 1) return null;
  const isChosen = ({ show, team }: View): boolean =>
    team === shown.team && (team !== '' || show === shown.show);
  return (
    <fieldset class="bare filter-states views">
      <legend class="visually-hidden">{texts('links.view')}</legend>
      <div class="choice">
        {views.map(([label, view]) => (
          <label key={`${view.show} ${view.team}`}>
            <input type="radio" name="view" checked={isChosen(view)} onChange={() => onChoose(view)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
