import fc from 'fast-check';
import { character } from '../../support/any-string.ts';
import { urlLike } from './arbitraries.ts';

/** Text of a path, a query or a fragment. `fc.webUrl` has the same, and takes a second to prepare. */
const part = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."abcXYZ019-._~!$&'()*+,;=:@"),
      character.map((text) => encodeURIComponent(text.toWellFormed())),
    ),
    { maxLength: 10 },
  )
  .map((characters) => characters.join(''));

export const webUrl = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.webAuthority(),
    fc.array(part.map((segment) => `/${segment}`)),
    fc.option(
      part.map((query) => `?${query}`),
      { nil: '' },
    ),
    fc.option(
      part.map((fragment) => `#${fragment}`),
      { nil: '' },
    ),
  )
  .map(
    ([scheme, authority, path, query, fragment]) =>
      `${scheme}://${authority}${path.join('')}${query}${fragment}`,
  );
export const anyUrlLike = fc.oneof(urlLike, webUrl);
