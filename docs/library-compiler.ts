import { ts } from '@ts-morph/common';

// The compiler as a library, which openapi-typescript needs and TypeScript 7 does not have any more. An alias of an
// older TypeScript would replace the command `tsc`.
export default ts;
