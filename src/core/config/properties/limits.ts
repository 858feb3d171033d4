import { parseByteRate, parseRate, wholeNumber } from '../parsers.ts';
import { define } from '../property.ts';

/** The limits of one client, and of all clients together. */
export const LIMIT_PROPERTIES = {
  rates: {
    wrongPasswords: define({
      name: 'app.limits.wrong-passwords',
      byDefault: '10/PT15M',
      parse: parseRate,
      meaning:
        'wrong passwords of one client for one link in a period; none also removes the delay after those of all clients',
    }),
    unknownCodes: define({
      name: 'app.limits.unknown-codes',
      byDefault: '300/PT1M',
      parse: parseRate,
      meaning: 'requests of one client for links that do not exist in a period, then 429 for every link',
    }),
    creations: define({
      name: 'app.limits.creations',
      byDefault: 'none',
      parse: parseRate,
      meaning:
        'links of POST /api/links and /api/links/bulk by one API key, user or client in a period, such as 100/PT1H',
    }),
    uploads: define({
      name: 'app.limits.uploads',
      byDefault: 'none',
      parse: parseRate,
      meaning: 'uploads of files by one API key, user or client in a period, such as 20/PT1H',
    }),
    changes: define({
      name: 'app.limits.changes',
      byDefault: '6000/PT1M',
      parse: parseRate,
      meaning: 'changes of links by one API key, user or client in a period',
    }),
    mails: define({
      name: 'app.limits.mails',
      byDefault: '30/PT1H',
      parse: parseRate,
      meaning: 'mails with links or password links by one API key or user in a period',
    }),
    recipientCodes: define({
      name: 'app.limits.recipient-codes',
      byDefault: '10/PT24H',
      parse: parseRate,
      meaning:
        'codes for one address of one link in a period; three times as many to one mailbox, twenty times for one client and for one link',
    }),
  },
  connections: {
    max: define({
      name: 'app.limits.connections',
      byDefault: '10000',
      parse: wholeNumber(1, 1_000_000),
      meaning: 'maximum open connections of each port; further ones are closed at once',
    }),
    maxPerClient: define({
      name: 'app.limits.connections-per-client',
      byDefault: '500',
      parse: wholeNumber(1, 1_000_000),
      meaning:
        'maximum open connections of an IPv4 address or an IPv6 network of 64 bits; further ones get 503',
    }),
    minBytesPerSecond: define({
      name: 'app.limits.min-rate',
      byDefault: '1KB',
      parse: parseByteRate,
      meaning:
        'bytes per second that an upload or a download must reach on average; same units; 0 or none: no minimum',
    }),
  },
};
