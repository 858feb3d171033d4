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

type Props = {
  link: LinkReference;
  /** Says what is saved. */
  label: string;
  /** Names the link where there are several. */
  of?: string;
};

/** A button that saves the whole history of a link, so that others can check it. */
export function SaveHistory({ link, label, of }: Props) {
  return (
    <SaveButton
      kind="NDJSON"
      label={of === undefined ? label : `${label}: ${of}`}
      isLabelShown
      shown={label}
      fileName={baseNameOf(link.shortCode)}
      createFile={() => exportHistory(link, NO_FILTER, 'application/x-ndjson')}
    />
  );
}
