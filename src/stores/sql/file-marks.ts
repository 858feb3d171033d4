// Marks of links that have no file any more: they come before what `file_id` has.

/** Comes before the id of a file that was erased. */
export const ERASED_PREFIX = 'erased-';
/** Comes before the short code of a link whose file another link took over, in place of the id of the file. */
export const PASSED_ON_PREFIX = 'passed-on-';
export const isMarked = (prefix: string): string => `file_id LIKE '${prefix}%'`;
/** Rows of `link_target` with such a mark. */
export const HAS_NO_FILE = `${isMarked(ERASED_PREFIX)} OR ${isMarked(PASSED_ON_PREFIX)}`;
