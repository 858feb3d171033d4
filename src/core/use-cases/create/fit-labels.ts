import { UNSAFE } from '../../model/attempt.ts';
import type { ImportRecord, Remark } from '../../model/import-record.ts';
import type { LinkLabels } from '../../model/link.ts';
import { LABEL_BOUNDS, LABEL_RULES } from '../../rules/labels.ts';

const UNSAFE_RUNS = new RegExp(`${UNSAFE.source}+`, 'gu');

/**
 * Returns the labels of a link, and what is different from its source: a link opens without them, so it is not skipped for
 * them. Of a label that is too long the note has the whole text.
 */
export function fitLabels(record: ImportRecord): { labels: LinkLabels; remarks: Remark[] } {
  const remarks: Remark[] = [];
  const label = clean(record.label);
  const isLong = label !== null && label.length > LABEL_BOUNDS.label;
  if (isLong) remarks.push({ what: 'label shortened, and whole in the note' });
  const note = isLong ? [label, record.note].filter((text) => text !== null).join('\n') : record.note;
  const fitted = {
    label: truncate(label, LABEL_BOUNDS.label),
    note: truncate(note, LABEL_BOUNDS.note),
    recipient: truncate(clean(record.recipient), LABEL_BOUNDS.recipient),
  };
  if (note !== fitted.note) remarks.push({ what: 'note shortened' });
  if (clean(record.recipient) !== fitted.recipient) remarks.push({ what: 'recipient shortened' });
  const tags = record.tags.map((tag) => clean(tag.replaceAll(',', ' ')) ?? '').filter((tag) => tag !== '');
  const kept = tags.filter((tag) => tag.length <= LABEL_BOUNDS.tag).slice(0, LABEL_BOUNDS.tags);
  if (kept.length < tags.length)
    remarks.push({
      what: 'without tags that are too long or too many',
      detail: tags.filter((tag) => !kept.includes(tag)).join(', '),
    });
  return {
    labels: {
      label: valid(LABEL_RULES.label(fitted.label), remarks),
      note: valid(LABEL_RULES.note(fitted.note), remarks),
      tags: [...new Set(kept)],
      recipient: valid(LABEL_RULES.recipient(fitted.recipient), remarks),
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

function valid(parsed: ReturnType<typeof LABEL_RULES.label>, remarks: Remark[]): string | null {
  if (parsed.ok) return parsed.value;
  remarks.push({ what: `without ${parsed.error.field}`, detail: `it ${parsed.error.text}` });
  return null;
}
