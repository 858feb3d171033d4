import { useI18n } from '../i18n/i18n.tsx';
import { exportHistory, NO_FILTER } from '../service/history.ts';
import type { LinkReference } from '../service/links.ts';
import { serviceUrl } from '../service/requests.ts';
import { SaveButton } from '../shell/save-button.tsx';

/** Returns the address of the page that checks a saved history. */
export const verifyPageUrl = (): string => serviceUrl('verify').href;

/**
 * Returns the name of the file with the saved history of a link, without its extension. It says where to check the file: the
 * person who gets it may have nothing else.
 */
function baseNameOf(shortCode: string): string {
  const { host, pathname } = new URL(verifyPageUrl());
  return `postern-${shortCode}-check-at-${host}${pathname}`.replaceAll(/[^\w.~-]/g, '-');
}

/** Returns the name of the file that `SaveHistory` saves. */
export const historyFileName = (shortCode: string): string => `${baseNameOf(shortCode)}.ndjson`;

/** A button that saves the whole history of a link, so that others can check it. `of`: names the link where there are several. */
export function SaveHistory({ link, of }: { link: LinkReference; of?: string }) {
  const { t } = useI18n();
  return (
    <SaveButton
      kind="NDJSON"
      label={of === undefined ? t('proof.export') : `${t('proof.export')}: ${of}`}
      isLabelShown
      shown={t('proof.export')}
      fileName={baseNameOf(link.shortCode)}
      createFile={() => exportHistory(link, NO_FILTER, 'application/x-ndjson')}
    />
  );
}
