import { formatInstant } from '../../core/model/instant.ts';
import type { ChainHead, EpochMs } from '../../core/model/link.ts';
import type { Introduction } from '../../core/use-cases/visit/about-link.ts';
import { type Html, html, NOTHING } from './page.ts';
import type { Visitor } from './visitor.ts';
import { textWithTime, vouchFor } from './visitor-pages.ts';

/**
 * What a receipt says of files that arrived. `encrypted`: the one file is an archive that was encrypted before it was sent. `sender`,
 * `note`: what the sender typed. `introduction`: who asked for the files. `address`: of the request. `history`: of the link that the
 * files have.
 */
export type ShownReceipt = {
  message: string;
  sender: string | null;
  note: string | null;
  introduction: Introduction | undefined;
  address: string | undefined;
  history: ChainHead | undefined;
  receivedAt: EpochMs;
  files: { name: string; sizeBytes: number; sha256: string }[];
  encrypted: boolean;
};

/**
 * Renders the text that a sender saves, which the script of the page writes to a file. It has no address of the files, which are for
 * those who asked for them.
 */
export function receiptText(visitor: Visitor, receipt: ShownReceipt): Html {
  const { t } = visitor;
  const { receivedAt, history, encrypted } = receipt;
  const instant = formatInstant(receivedAt);
  const fileName = `${t('receipt.fileName')} ${instant.slice(0, 10)}.txt`;
  const entry = history && {
    number: String(history.entryCount),
    fingerprint: history.fingerprint,
  };
  return html`<template data-receipt="${fileName}">${t('receipt.heading')}

${correspondentsOf(visitor, receipt)}
${textWithTime(visitor, 'receipt.at', receivedAt)} (${instant})

${filesOf(visitor, receipt)}
${entry ? t('receipt.entry', entry) : ''}

${t('receipt.proves')} ${t(encrypted ? 'receipt.encrypted' : 'receipt.compute')}${entry ? ` ${t('receipt.check')}` : ''}
</template>`;
}

/** Renders who asked for what at which address, and who sent it. */
function correspondentsOf(visitor: Visitor, receipt: ShownReceipt): Html {
  const { t } = visitor;
  const { address, introduction: asked, message, sender, note } = receipt;
  const lines = [
    address !== undefined && t('receipt.address', { address }),
    asked?.senderName && t('request.from', { name: asked.senderName }),
    asked?.senderName && vouchFor(visitor, asked.account),
    `\n${t('receipt.request')}:\n${message}\n`,
    sender && `${t('receipt.sender', { name: sender })}. ${t('sender.unverified')}`,
    note && `${t('receipt.note')}: ${note}`,
  ];
  return html`${lines.filter(Boolean).join('\n')}`;
}

/** Renders each file with its size and digest. The script adds the names of encrypted files, which the service does not know. */
function filesOf({ t, locale }: Visitor, { files, encrypted }: ShownReceipt): Html {
  const exactly = new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
  const items = files.map(({ name, sizeBytes, sha256 }, index) =>
    [`${index + 1}. ${name}`, `   ${exactly.format(sizeBytes)}`, `   SHA-256 ${sha256}`, ''].join('\n'),
  );
  const names = encrypted ? html`<span data-names></span>` : NOTHING;
  return html`${t('files.count', { count: files.length })}:

${names}${items.join('\n')}`;
}
