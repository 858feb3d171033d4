import { Notice } from '../shell/notice.tsx';
import type { Report } from './use-changes.ts';

/** Reports the progress and the result of changes, and why some have failed. */
export function ReportNotice({ report }: { report: Report | undefined }) {
  const { text, onUndo, failures = [] } = report ?? {};
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
