import { copyLabelOf } from '../actions/copy-label.ts';
import type { Rights } from '../actions/rights.ts';
import { sharedUrlOf } from '../actions/shown-urls.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { pause, resume, type ToPatch } from '../service/change-links.ts';
import type { LinkDescription } from '../service/contract.ts';
import { duplicatePageUrl, historyPageUrl } from '../service/links.ts';
import { copy } from '../shell/copy-button.tsx';
import type { MenuItem } from '../shell/menu.tsx';
import { useSession } from '../shell/session.tsx';

type Actions = {
  rightsOf(link: LinkDescription): Rights;
  open(action: 'EDIT' | 'QR' | 'OWNER' | 'TEAM' | 'REVOKE', links: LinkDescription[]): void;
  run(links: LinkDescription[], toPatch: ToPatch): void;
  /** Reports what was done. */
  say(text: string): void;
};

/** Returns a function that returns the menu of a link: only what the user may do with it now. */
export function useRowMenu({ rightsOf, open, run, say }: Actions): (link: LinkDescription) => MenuItem[] {
  const { t } = useI18n();
  const { may } = useSession();
  return (link) => {
    const { shortCode, state } = link;
    const copyUrl = async (): Promise<void> =>
      say((await copy(sharedUrlOf(link))) ? `${t('copy.done')}: ${sharedUrlOf(link)}` : t('copy.failed'));
    const dialog = (action: Parameters<Actions['open']>[0]) => () => open(action, [link]);
    const { mayManage, mayHandOver, mayShare } = rightsOf(link);
    const isLive = state !== 'REVOKED';
    const canManage = mayManage && isLive;
    const items: (MenuItem | false)[] = [
      isLive && { label: t(copyLabelOf(link)), onChoose: () => void copyUrl() },
      isLive && { label: t('qr.title'), onChoose: dialog('QR') },
      canManage && pause(link) !== null && { label: t('link.pause'), onChoose: () => run([link], pause) },
      canManage && state === 'PAUSED' && { label: t('link.resume'), onChoose: () => run([link], resume) },
      canManage && { label: t('edit'), onChoose: dialog('EDIT') },
      may('create') && { label: t('link.duplicate'), href: duplicatePageUrl(shortCode) },
      {
        label: t(link.type === 'REQUEST' ? 'request.arrived' : 'history.title'),
        href: historyPageUrl(shortCode),
      },
      isLive && mayHandOver && { label: t('owner.change'), onChoose: dialog('OWNER') },
      isLive && mayShare && { label: t('team.share'), onChoose: dialog('TEAM') },
      canManage && { label: t('select.revoke'), onChoose: dialog('REVOKE') },
    ];
    return items.filter((item) => item !== false);
  };
}
