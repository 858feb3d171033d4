import { useEffect, useState } from 'preact/hooks';
import { toFormError } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { type ChangedLink, changeLinks, type ToPatch, toUndo } from '../service/change-links.ts';
import type { LinkDescription } from '../service/contract.ts';
import { toReference } from '../service/saved-links.ts';
import { Notice } from '../shell/notice.tsx';
import { useListTexts } from './list-texts.ts';

const MESSAGE_SHOWN_MS = 5_000;

/** The report of the last change, with the links for which it failed. */
type Report = { text: string; failures: string[]; onUndo?: (() => void) | undefined };

const NO_REPORT: Report = { text: '', failures: [] };

/** Changes several links, with a report of the progress and of the result, which can be undone. */
export function useChanges(onChanged: (link: LinkDescription) => void) {
  const i18n = useI18n();
  const texts = useListTexts();
  const { t } = i18n;
  const [report, setReport] = useState<Report>();
  const isBrief = report !== undefined && !report.onUndo && report.failures.length === 0;
  useEffect(() => {
    if (!isBrief) return undefined;
    const timer = setTimeout(() => setReport(undefined), MESSAGE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [report]);

  async function run(shortCodes: string[], toPatch: ToPatch, isUndo = false): Promise<void> {
    const changed: ChangedLink[] = [];
    const failures: string[] = [];
    let done = 0;
    await changeLinks(shortCodes.map(toReference), toPatch, (shortCode, result) => {
      done += 1;
      if (result.ok) onChanged(result.link);
      if (result.ok && result.changed) changed.push(result.changed);
      const text = result.ok
        ? isUndo && !result.changed && t('error.changedMeanwhile')
        : toFormError(result.failure, i18n)?.text;
      if (text) failures.push(`${shortCode}: ${text}`);
      setReport({
        text: texts('changes.running', { count: done, max: String(shortCodes.length) }),
        failures,
      });
    });
    // Who has handed over a link may not take it back.
    const isUndoable = !isUndo && changed.length > 0 && changed.every(({ set }) => !('owner' in set));
    const undo = (): void =>
      void run(
        changed.map((each) => each.shortCode),
        toUndo(changed),
        true,
      );
    setReport({
      text: texts(isUndo ? 'changes.undone' : 'changes.done', { count: changed.length }),
      failures,
      onUndo: isUndoable ? undo : undefined,
    });
  }
  const say = (text: string): void => setReport({ text, failures: [] });
  return { report, run, say };
}

/** Reports the progress and the result of changes, and why some have failed. */
export function ReportNotice({
  report: { text, onUndo, failures } = NO_REPORT,
}: {
  report: Report | undefined;
}) {
  return (
    <>
      {failures.length > 0 && (
        <ul class="form-error failures" role="alert">
          {failures.map((failure) => (
            <li key={failure}>{failure}</li>
          ))}
        </ul>
      )}
      <Notice text={text} onUndo={onUndo} />
    </>
  );
}
