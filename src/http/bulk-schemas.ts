import { type Static, Type } from 'typebox';
import { accept, type Parsed, refuse } from '../core/model/parsed.ts';
import { codesOf } from './errors.ts';
import {
  CreatedLink,
  errorRecord,
  FIRST_FINGERPRINT,
  FirstToken,
  optionalText,
  RedirectRequest,
  ShortCode,
  Token,
  titled,
  WEBHOOK_SECRET,
} from './schemas.ts';

// The records of requests with many items.

/** The most items of a bulk request. */
export const MAX_BULK_ITEMS = 1_000;
const ITEM_COUNT = { minItems: 1, maxItems: MAX_BULK_ITEMS };
/** The statuses that an item of a bulk request can fail with. */
const ERROR_STATUSES = [400, 409, 429, 500, 503];

/** A new link in the response to a bulk request: the record, with what is otherwise in headers. */
const CreatedLinkItem = titled('NewLink', {
  ...CreatedLink.properties,
  fingerprint: Type.String({ description: FIRST_FINGERPRINT }),
  token: Type.Optional(FirstToken),
  webhookSecret: optionalText(WEBHOOK_SECRET),
});
/** `sha256`: of an uploaded file. */
export type CreatedLinkItem = Static<typeof CreatedLinkItem> & { sha256?: string };

export const BulkRequest = titled('BulkRequest', { items: Type.Array(RedirectRequest, ITEM_COUNT) });

const BulkResult = titled('BulkResult', {
  status: Type.Integer({ description: 'As of POST /api/links with this item alone' }),
  link: Type.Optional(CreatedLinkItem),
  error: Type.Optional(errorRecord(ERROR_STATUSES.flatMap(codesOf))),
});
export type BulkResult = Static<typeof BulkResult>;
export const BulkResults = titled('BulkResults', {
  results: Type.Array(BulkResult, { description: 'One for each item, in their order' }),
});

export const RevokeRequest = titled('RevokeRequest', {
  shortCodes: Type.Array(ShortCode, ITEM_COUNT),
  tokens: Type.Optional(
    Type.Array(Token, {
      maxItems: MAX_BULK_ITEMS,
      description: 'The tokens of the links, in any order. Links that the key may revoke need none',
    }),
  ),
});
export const RevokeResults = titled('RevokeResults', {
  results: Type.Array(
    titled('RevokeResult', {
      shortCode: ShortCode,
      result: Type.Enum(['revoked', 'already-revoked', 'not-found', 'not-allowed', 'not-tried']),
    }),
    { description: 'One for each short code, in their order' },
  ),
});

/** Reads the list of a request with many items. */
export function parseBulkList(field: string, value: unknown): Parsed<readonly unknown[]> {
  return Array.isArray(value) && value.length >= 1 && value.length <= MAX_BULK_ITEMS
    ? accept<readonly unknown[]>(value)
    : refuse(field, 'INVALID_LIST', `must be a list of 1 to ${MAX_BULK_ITEMS}`, { max: MAX_BULK_ITEMS });
}
