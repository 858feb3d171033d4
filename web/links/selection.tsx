import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { SaveButton } from '../shell/save-button.tsx';
import { exportLinks } from './export-links.ts';
import { useListTexts } from './list-texts.ts';

export type Selection = {
  /** The selected links that are shown, in the order of the list. */
  codes: string[];
  canSelect(link: LinkDescription): boolean;
  has(shortCode: string): boolean;
  toggle(shortCode: string): void;
  /** Selects all shown links that can be, or none. */
  setAll(isSelected: boolean): void;
  isAllSelected: boolean;
  clear(): void;
};

/**
 * Holds which of the shown links are selected. A link that leaves the list is no longer selected.
 *
 * @param mayManage returns whether the user may revoke a link
 */
export function useSelection(
  links: LinkDescription[] = [],
  mayManage: (link: LinkDescription) => boolean,
): Selection {
  // A link that is revoked for good can only be looked at.
  const canSelect = (link: LinkDescription): boolean => link.state !== 'REVOKED' && mayManage(link);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selectable = links.filter(canSelect).map(({ shortCode }) => shortCode);
  const codes = selectable.filter((shortCode) => selected.has(shortCode));
  const key = codes.join();
  useEffect(() => setSelected((now) => (now.size === codes.length ? now : new Set(codes))), [key]);
  return {
    codes,
    canSelect,
    has: (shortCode) => selected.has(shortCode),
    toggle: (shortCode) => setSelected((now) => now.symmetricDifference(new Set([shortCode]))),
    setAll: (isSelected) => setSelected(new Set(isSelected ? selectable : [])),
    isAllSelected: selectable.length > 0 && codes.length === selectable.length,
    clear: () => setSelected(new Set()),
  };
}

const BULK_ACTIONS = {
  PAUSE: 'link.pause',
  RESUME: 'link.resume',
  EXTEND: 'select.extend',
  TAG: 'tags',
  OWNER: 'owner.change',
  TEAM: 'team.share',
  REVOKE: 'select.revoke',
} as const;
export type BulkAction = keyof typeof BULK_ACTIONS;

type Props = {
  links: LinkDescription[];
  /** Returns whether the user may do it with one of the links at least. */
  isOffered(action: BulkAction): boolean;
  onChoose(action: BulkAction): void;
  onClear(): void;
};

/** The actions on the selected links. */
export function SelectionBar({ links, isOffered, onChoose, onClear }: Props) {
  const { t } = useI18n();
  const texts = useListTexts();
  // The keys of an exact type.
  const actions = (Object.keys(BULK_ACTIONS) as BulkAction[]).filter(isOffered);
  return (
    <section class="card row selection-bar" aria-label={texts('select.title')}>
      <p role="status">{t('select.count', { count: links.length })}</p>
      <div class="actions">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            class={`button ${action === 'REVOKE' ? 'button-danger' : ''}`}
            onClick={() => onChoose(action)}
          >
            {t(BULK_ACTIONS[action])}
          </button>
        ))}
        <SaveButton
          kind="CSV"
          label={`CSV: ${texts('select.title')}`}
          fileName="postern-links"
          createFile={() => exportLinks(links)}
        />
        <button type="button" class="button button-quiet" onClick={onClear}>
          {texts('select.clear')}
        </button>
      </div>
    </section>
  );
}
