import { Fragment } from 'preact';
import { splitAtBreakPoints } from '../../src/common/break-points.ts';

/** A text with addresses, whose lines break after the punctuation of an address rather than within a name. Its element has the class `break`. */
export function Breakable({ text }: { text: string }) {
  return (
    <>
      {splitAtBreakPoints(text).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}
