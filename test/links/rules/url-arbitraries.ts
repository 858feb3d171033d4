import fc from 'fast-check';
import { urlLike } from './arbitraries.ts';

// In a file of its own: fast-check needs 1.2 s of processor time to prepare URLs.

export const webUrl = fc.webUrl({ withFragments: true, withQueryParameters: true });
export const anyUrlLike = fc.oneof(urlLike, webUrl);
