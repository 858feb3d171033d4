import type { VNode } from 'preact';
import { PLAIN_NAMES } from '../../src/core/model/terms.ts';
import { lastOpeningOf } from '../../src/core/model/user-agent.ts';
import { toTermDraft } from '../form/term-draft.ts';
import { SCAN_LABELS } from '../history/change-texts.ts';
import { OtherLink } from '../history/entry-notes.tsx';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import type { File, LinkDescription } from '../service/contract.ts';
import { countViews, passwordTextOf } from '../shell/labels.ts';
import { fileNameOf } from '../shell/link-facts.ts';
import { Terms } from '../shell/terms.tsx';

type Props = {
  description: LinkDescription;
};

/** The terms of a link and what those note about it who manage it, as a list of names and values. */
export function LinkTerms({ description }: Props) {
  const i18n = useI18n();
  const { t, format } = i18n;
  const { createdAt, startsAt, expiresAt, confirm, file } = description;
  const { targetUrl, owner, team } = description;
  const lastOpenedAt = lastOpeningOf(description);
  const { request, requestCode } = description;
  const time = (at: string): string => format.time(new Date(at));
  // What arrived with a file request shows its note first, and recipients have a card.
  const shownElsewhere = [
    'label',
    'confirm',
    'verifiedRecipients',
    ...(requestCode === undefined ? [] : ['note']),
  ];
  const drafted = { ...toTermDraft(description), host: '' }; // the address has the host name
  const terms: [string, string | VNode | false | null | undefined][] = [
    [t('edit.target'), targetUrl],
    [t('column.owner'), owner?.displayName ?? owner?.name],
    [t('team'), team],
    [t('request.message'), request?.message],
    [t('request.maxFiles'), request?.maxFiles?.toString()],
    [t('request.maxSize'), request?.maxBytes ? format.bytes(request.maxBytes) : null],
    [t('request.recipientKey'), request?.recipientKey],
    [t('link.request'), requestCode && <OtherLink code={requestCode} />],
    [t('term.fileName'), file && fileNameOf(file, t)],
    // The size of a short text, such as a password, helps to guess it.
    [t('term.size'), file && !file.text && toSizeText(file, i18n)],
    [t('term.scan'), file?.scan && [t(SCAN_LABELS[file.scan]), file.scanNote].filter(Boolean).join(': ')],
    [t('term.created'), time(createdAt)],
    [t('startsAt'), startsAt && time(startsAt)],
    [t('expiry'), expiresAt === null ? t('expiry.never') : format.shortDateTime(new Date(expiresAt))],
    [t('views'), countViews(description, i18n)],
    [t('column.lastOpened'), lastOpenedAt && time(lastOpenedAt)],
    [t('password'), passwordTextOf(description, t)],
    [t('confirm'), !request && confirm && t('term.yes')],
    ...PLAIN_NAMES.filter((name) => !shownElsewhere.includes(name)).map((name): [string, string] => {
      const value = drafted[name];
      return [t(name), value === true ? t('term.yes') : String(value || '')];
    }),
  ];
  return <Terms terms={terms.filter((term): term is [string, string | VNode] => Boolean(term[1]))} />;
}

function toSizeText({ sizeBytes, fileCount }: File, { t, format }: I18n): string {
  const size = format.bytes(sizeBytes);
  return fileCount === undefined ? size : `${t('files.count', { count: fileCount })}, ${size}`;
}
