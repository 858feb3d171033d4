import { UNSAFE } from '../../model/attempt.ts';
import type { ImportRecord, Remark } from '../../model/import-record.ts';
import type { Parsed } from '../../model/parsed.ts';
import { type LinkTerms, MANAGED_TERMS } from '../../model/terms.ts';
import { parseTextTerm } from '../../rules/term-rules.ts';

const UNSAFE_RUNS = new RegExp(`${UNSAFE.source}+`, 'gu');

/**
 * Returns the labels of a link, and what is different from its source: a link opens without them, so it is not skipped for
 * them. Of a label that is too long the note has the whole text.
 */
export function fitLabels(record: ImportRecord): {
  labels: Pick<LinkTerms, 'label' | 'note' | 'tags' | 'recipient'>;
  remarks: Remark[];
} {
  const remarks: Remark[] = [];
  const label = clean(record.label);
  const isLong = label !== null && label.length > MANAGED_TERMS.label.maxLength;
  if (isLong) remarks.push({ what: 'label shortened, and whole in the note' });
  const note = isLong ? [label, record.note].filter((text) => text !== null).join('\n') : record.note;
  const fitted = {
    label: truncate(label, MANAGED_TERMS.label.maxLength),
    note: truncate(note, MANAGED_TERMS.note.maxLength),
    recipient: truncate(clean(record.recipient), MANAGED_TERMS.recipient.maxLength),
  };
  if (note !== fitted.note) remarks.push({ what: 'note shortened' });
  if (clean(record.recipient) !== fitted.recipient) remarks.push({ what: 'recipient shortened' });
  const tags = record.tags.map((tag) => clean(tag.replaceAll(',', ' ')) ?? '').filter((tag) => tag !== '');
  const { maxItems, maxLength } = MANAGED_TERMS.tags;
  const kept = tags.filter((tag) => tag.length <= maxLength).slice(0, maxItems);
  if (kept.length < tags.length)
    remarks.push({
      what: 'without tags that are too long or too many',
      detail: tags.filter((tag) => !kept.includes(tag)).join(', '),
    });
  return {
    labels: {
      label: valid(parseTextTerm('label', fitted.label), remarks),
      note: valid(parseTextTerm('note', fitted.note), remarks),
      tags: [...new Set(kept)],
      recipient: valid(parseTextTerm('recipient', fitted.recipient), remarks),
    },
    remarks,
  };
}

/** Replaces control characters and ends of lines by spaces. */
function clean(text: string | null): string | null {
  const cleaned = text?.toWellFormed().replace(UNSAFE_RUNS, ' ').trim();
  return cleaned || null;
}

function truncate(text: string | null, max: number): string | null {
  return text === null || text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

function valid(parsed: Parsed<string | null>, remarks: Remark[]): string | null {
  if (parsed.ok) return parsed.value;
  remarks.push({ what: `without ${parsed.error.field}`, detail: `it ${parsed.error.text}` });
  return null;
}
