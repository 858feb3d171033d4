import { hash } from 'node:crypto';
import type { HistoryItem } from '../../src/core/model/history.ts';
import { readProjectFile } from './documents.ts';

/** The details that docs/history-format.md calls personal, sorted by name. */
const [, LISTED = ''] = /PERSONAL = \[(.*?)\]/s.exec(readProjectFile('docs/history-format.md')) ?? [];
const PERSONAL = [...LISTED.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);

/** The personal fields of an entry as the document defines them, without the code of the chain. */
function toPersonalText(item: HistoryItem): string {
  const { salt } = item;
  if (item.kind === 'ATTEMPT')
    return JSON.stringify({
      ...{ ipAddress: item.ipAddress, recipientAddress: item.recipientAddress, referrer: item.referrer },
      ...{ salt, userAgent: item.userAgent },
    });
  const { ipAddress, name } = item.author;
  const details = Object.fromEntries(
    PERSONAL.filter((name) => name in item.details).map((name) => [name, item.details[name]]),
  );
  return JSON.stringify({ author: { ipAddress, name }, details, salt });
}

/** Returns an entry without its personal fields. */
export function erased<Item extends HistoryItem>(item: Item): Item {
  const erasure = { salt: null, personalSha256: hash('sha256', toPersonalText(item)) };
  if (item.kind === 'ATTEMPT') {
    const { referrer: _, recipientAddress: _address, ...others } = item;
    return { ...others, ...erasure, ipAddress: null, userAgent: null } as Item; // which need not have one
  }
  const details = Object.entries(item.details).filter(([name]) => !PERSONAL.includes(name));
  const author = { kind: item.author.kind, name: null, ipAddress: null };
  return { ...item, ...erasure, author, details: Object.fromEntries(details) };
}

/**
 * Returns SQL that erases the personal fields of an entry.
 *
 * @param bytes returns the SQL of bytes
 */
export function eraseSql(item: HistoryItem, bytes: (hex: string) => string): string {
  const { shortCode, number, personalSha256 = '', ...rest } = erased(item);
  const details = rest.kind === 'ATTEMPT' ? 'NULL' : `'${JSON.stringify(rest.details)}'`;
  return `UPDATE entry SET personal_hash = ${number === 0 ? 'NULL' : bytes(personalSha256)}, salt = NULL, ip_address = NULL, agent_number = NULL,
      user_agent = NULL, referrer = NULL, recipient_address = NULL, author_name = NULL, details = ${details}
    WHERE short_code = '${shortCode}' AND number = ${number};`;
}
