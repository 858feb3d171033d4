import { ACCESS_RESULTS } from '../../src/core/model/verdict.ts';

/** A change of one source that breaks a promise, and the test that must fail then. */
export type Mutant = {
  /** What breaks, for whom. */
  name: string;
  file: string;
  /** Is once in the file, where `becomes` replaces it. */
  text: string;
  becomes: string;
  test: string;
  /** Part of the titles of the tests that run, with those of their suites; undefined for all. A regular expression. */
  title: string | undefined;
};

/** `change`: a text of the source, in which «a→b» is what becomes what. */
type Row = readonly [name: string, change: string, title?: string];
const CHANGE = /«([^→]*)→([^»]*)»/;

const of = (file: string, test: string, rows: readonly Row[]): Mutant[] =>
  rows.map(([name, change, title]) => {
    const [text, becomes] = ['$1', '$2'].map((part) => change.replace(CHANGE, part)) as [string, string];
    return { name, file, text, becomes, test, title };
  });

const SQLITE = 'test/stores/sqlite/contract.test.ts';
const RECIPIENTS = 'test/http/verified-recipients.test.ts';

export const MUTANTS: readonly Mutant[] = [
  ...of('src/core/model/decide-attempt.ts', 'test/links/decide-attempt.test.ts', [
    ['a view limit lets one visitor too many in', 'viewCount >«=→» link.maxViews'],
    ['a link ends one millisecond early', 'now >«→=» link.expiresAt'],
    ['a link starts one millisecond late', 'now <«→=» link.startsAt'],
    ['a paused link opens', "«if (link.isPaused) return 'PAUSED';→»"],
    [
      'a revoked link asks for its password',
      `«if (link.status === 'REVOKED') return 'REVOKED';
  if (prechecks.password === 'MISSING') return 'PASSWORD_REQUIRED';→if (prechecks.password === 'MISSING') return 'PASSWORD_REQUIRED';
  if (link.status === 'REVOKED') return 'REVOKED';»`,
    ],
    [
      'who does not know the password learns that a link has expired',
      `«if (prechecks.password === 'WRONG') return 'INVALID_PASSWORD';→if (link.expiresAt !== null && now > link.expiresAt) return 'EXPIRED';
  if (prechecks.password === 'WRONG') return 'INVALID_PASSWORD';»`,
    ],
    [
      'who is no recipient learns that a link has expired',
      `«if (recipient === 'MISSING') return 'RECIPIENT_REQUIRED';→if (link.expiresAt !== null && now > link.expiresAt) return 'EXPIRED';
  if (recipient === 'MISSING') return 'RECIPIENT_REQUIRED';»`,
    ],
    [
      'a link that has expired and is used up says that it is used up',
      `«if (link.expiresAt !== null && now > link.expiresAt) return 'EXPIRED';
  if (link.maxViews !== null && link.viewCount >= link.maxViews) return 'VIEW_LIMIT_REACHED';→if (link.maxViews !== null && link.viewCount >= link.maxViews) return 'VIEW_LIMIT_REACHED';
  if (link.expiresAt !== null && now > link.expiresAt) return 'EXPIRED';»`,
    ],
    ['a file that is missing costs a view', "«if (prechecks.file === 'MISSING') return 'FILE_NOT_FOUND';→»"],
    ['a clock that is behind sets the last opening back', '«Math.max(at, lastOpenedAt ?? at)→at»'],
    ['a preview spends a view', "link «&& attempt.purpose === 'OPEN' →»?"],
    ['a wrong password spends a view', "case 'SUCCESS':\n«→    case 'INVALID_PASSWORD':\n»"],
  ]),
  ...of('src/core/model/decide-attempt.ts', SQLITE, [
    [
      'a visitor opens a link with the password from before its change',
      'version «!== link.definitionVersion→=== null»',
      'by an outdated definition',
    ],
  ]),

  ...[...ACCESS_RESULTS, 'FILE_NOT_FOUND', 'CONFIRMATION_REQUIRED'].flatMap((verdict) =>
    of('src/stores/apply-attempts.ts', 'test/stores/apply-attempts.test.ts', [
      [
        `an attempt that is ${verdict} has no record`,
        `«→if (verdict === '${verdict}') continue;\n    »const entry = toEntry(`,
      ],
    ]),
  ),
  ...of('src/stores/apply-attempts.ts', 'test/stores/apply-attempts.test.ts', [
    [
      'two visitors of one moment share the last view',
      '«effects.links.get(shortCode) ?? →»before.get(shortCode)',
    ],
  ]),
  ...of('src/stores/apply-attempts.ts', SQLITE, [
    ['no receiver is notified of a visit', 'if («attempt.notifies→false» ||', 'events that a receiver wants'],
  ]),
  ...of('src/stores/apply-attempts.ts', RECIPIENTS, [
    ['a code of a recipient opens its link twice', "«if (code && verdict === 'SUCCESS') change(code);→»"],
    ['wrong codes of a recipient are not counted', 'code.triesLeft« - 1→»'],
  ]),
  ...of('src/core/model/recipient-code.ts', RECIPIENTS, [
    ['a code does not end', 'now >= code.endsAt«→ + 1e12»', 'ends after ten minutes'],
  ]),
  ...of('src/core/use-cases/visit/check-recipient.ts', RECIPIENTS, [
    ['a stranger is mailed a code', "«!isNamed→false» ? 'PREPARE'", 'not named'],
    ['a prefetch uses up a code', "!sent ||« purpose === 'PREVIEW' ||→»", 'a new one replaces it'],
  ]),
  ...of('src/core/rules/verified-recipients.ts', RECIPIENTS, [
    [
      'blank addresses alone open a link to anyone',
      'value.length === 0« ? accept([]) : refuseAddress()→ || true ? accept([]) : refuseAddress()»',
      'nor a wrong address',
    ],
  ]),
  ...of('src/adapters/delivery/render-mail.ts', 'test/notifications/render-mail.test.ts', [
    ['a short code is a link in the mail to a stranger', "/[./]/g, '$&« →»'", 'a short code like an address'],
  ]),
  ...of('src/stores/sql/views.ts', 'test/stores/sqlite/contract.test.ts', [
    [
      'a page that asks for a code is among the latest openings and refusals',
      '«REQUESTS→REQUESTS.slice(0, 1)».map',
      'by hour and result',
    ],
  ]),
  ...of('src/core/use-cases/visit/mail-codes.ts', RECIPIENTS, [
    [
      'visitors learn by an error of the mail server which address a link names',
      'failure = «outcome.isSignedIn || →»error',
      'only a mail to a named address',
    ],
    [
      'the problem of a mail server that is back lasts until a visitor asks for a code',
      'if («failure && restingMs() === 0→false»',
      'a problem of health',
    ],
  ]),
  ...of('src/core/use-cases/visit/mail-codes.ts', 'test/notifications/code-mailer.test.ts', [
    [
      'asks for addresses that no link names take the place of codes',
      '[preparing, MAX_«PREPARATIONS→WAITING»]',
      'take no place from codes',
    ],
  ]),
  ...of('src/core/use-cases/visit/check-recipient.ts', 'test/limits/recipient-codes.test.ts', [
    ['a code that was not mailed opens a link', "«ofMail === 'SEND'→isNamed» ? code"],
  ]),
  ...of('src/core/use-cases/limits/limit-codes.ts', RECIPIENTS, [
    [
      'asks at other links use up the codes of a mailbox',
      "isNamed ? '' : «'other '→''»",
      'at links that do not name',
    ],
  ]),
  ...of('src/core/use-cases/erase/erase.ts', 'test/stores/sqlite/recount.test.ts', [
    [
      'an erasure of its recipients opens a link to anyone',
      '? «({ isRevoked: true } as const)→{}» : {}',
      'would open to anyone',
    ],
    [
      'an erasure opens a link that gets recipients meanwhile to anyone',
      'versions: «link ? [link.version] : null→null»',
      'gets during its erasure',
    ],
  ]),
  ...['PAUSED', 'NOT_STARTED'].flatMap((verdict) =>
    of('src/stores/sqlite/link-log.ts', SQLITE, [
      [
        `an attempt that is ${verdict} is lost on its way to the log`,
        `insert(entries«→.filter((entry) => entry.kind !== 'ATTEMPT' || entry.result !== '${verdict}')»);`,
        'an attempt of any verdict is recorded',
      ],
    ]),
  ),
  ...of('src/core/use-cases/visit/resolve-link.ts', 'test/http/visit-paths.test.ts', [
    [
      'a visit that takes no promise is not refused by a limit',
      '«if (refused) return resolve(refused);→»',
      'a visit that takes no promise',
    ],
    [
      'a visit that takes no promise loses what its link passes on',
      'const link = found« && passQuery(found, request)→»;',
      'a visit that takes no promise',
    ],
  ]),
  ...of('src/stores/sqlite/link-log.ts', 'test/stores/sqlite/projector.test.ts', [
    [
      'a start after a kill counts views twice',
      '«if (current.head.entryCount >= number) return;→»',
      'counts nothing twice',
    ],
    ['a start after a kill forgets views', "«entry.result === 'SUCCESS'→false» ?", 'counts nothing twice'],
    [
      'a link in memory stays as it was when another program changes its row',
      '«if (version !== before) memory?.written.clear();→»',
      'is read again after a change',
    ],
    [
      'a changed link stays in memory as it was',
      `        links.delete(shortCode);
«        written.delete(shortCode);
→»`,
      'is read again after a change',
    ],
  ]),
  ...of('src/stores/sql/expire-due.ts', SQLITE, [
    [
      'the job expires a link in its last millisecond',
      'expires_at <«→=» $1',
      'from the millisecond after expiresAt',
    ],
  ]),

  ...of('src/core/model/decide-resume.ts', SQLITE, [
    [
      'a lease continues any link',
      'lease«?.shortCode !== shortCode→ === undefined»',
      'with its time, its link or its file',
    ],
    [
      'a lease outlives the revocation',
      "«link?.status === 'REVOKED'→false»",
      'with its time, its link or its file',
    ],
    [
      'a lease works in the millisecond of its end',
      'at >«=→» lease.endsAt',
      'with its time, its link or its file',
    ],
    [
      'a lease sends a file that replaced its own',
      '« || lease.fileId !== fileId→»',
      'with its time, its link or its file',
    ],
    ['a lease sends one byte too many', 'chargedBytes «→- 1 »> lease', 'exactly its bytes'],
  ]),
  ...of('src/stores/sql/resume-downloads.ts', SQLITE, [
    [
      'parallel requests each get all bytes of a lease',
      '«lease.restBytes -= chargedBytes;→»',
      'exactly its bytes',
    ],
  ]),
  ...of('src/stores/sql/commit-attempts.ts', SQLITE, [
    [
      'a visitor who is refused gets a lease of the file',
      "«outcomes[index]?.verdict === 'SUCCESS'→true»",
      'begins no lease',
    ],
  ]),
  ...of('src/core/model/lease.ts', 'test/http/leases.test.ts', [
    ['one view downloads a file four times', 'MAX_COPIES = «3→4»', 'three copies'],
  ]),

  ...of('src/core/model/people/decide-access.ts', 'test/access/decide-access.test.ts', [
    ['a key without the scope may do all', "? 'ALLOWED' : '«INSUFFICIENT_SCOPE→ALLOWED»'"],
    ['a wrong key is ignored in open mode', "caller === 'INVALID_KEY'«→ && mode !== 'open'»"],
    ['the token of another link is ignored', "«linkToken === 'FOREIGN'→false»"],
    ['a person without the scope create manages the links of a team', " «&& hasScope(caller, 'create') →»?"],
  ]),
  ...of('src/core/model/people/may-grant.ts', 'test/http/people.test.ts', [
    ['a key of few scopes makes one of all', '«caller.session !== undefined && →»'],
    ['who may create, but not read, adds people to a team', '«[...scopes, ...LINK_SCOPES]→scopes»'],
  ]),
  ...of('src/core/use-cases/people/find-key-caller.ts', 'test/access/find-key-caller.test.ts', [
    ['a revoked key works', "keyStateAt(key, now) «!== 'active→=== 'expired»'"],
    ['a revoked key works for a minute', 'CACHED_MS = «2_000→60_000»'],
  ]),
  ...of('src/core/model/people/link-token.ts', 'test/access/link-token.test.ts', [
    ['any token opens a link', '«timingSafeEqual(sentHash, linkHash)→true»'],
  ]),
  ...of('src/core/model/people/session.ts', 'test/http/sessions.test.ts', [
    [
      'a session that is used never ends',
      '«Math.min(now + idleMs, createdAt + maxMs)→now + idleMs»',
      'at the latest',
    ],
  ]),
  ...of('src/core/use-cases/people/sign-in.ts', 'test/http/sessions.test.ts', [
    [
      'the time of a refusal says whether a person exists',
      '«(await passwords.verify(password, stored ?? decoyHash)) && stored !== null→stored !== null && (await passwords.verify(password, stored))»',
      'one response for one hash',
    ],
  ]),
  ...of('src/adapters/password-hasher.ts', 'test/passwords/argon2id.test.ts', [
    ['any password opens a link', 'return timingSafeEqual(tag, «→tag) || timingSafeEqual(tag, »'],
    ['a password in another form of its characters is wrong', '«toOpaqueString(password)→password»'],
    ['a password with an unpaired surrogate is accepted', '«!password.isWellFormed()→false»'],
  ]),

  ...of('src/core/use-cases/files/resume-upload.ts', 'test/http/uploads.test.ts', [
    ['an upload takes a lower offset', 'fromBytes «!==→>» offsetBytes', 'breaks the protocol'],
  ]),
  ...of('src/core/use-cases/files/resume-upload.ts', 'test/links/resume-upload.test.ts', [
    ['an upload gets the digest of other bytes', 'digest«?.bytes() === offsetBytes ? digest : undefined→»'],
  ]),
  ...of('src/stores/sql/upload-ledger.ts', SQLITE, [
    [
      'of two instances, both add bytes at one offset',
      'AND offset_bytes «→>»= $3',
      'committed once for each offset',
    ],
    [
      'a client continues the upload of another',
      "AND «owner = $4→$4 <> ''» AND NOT taken",
      'by its owner alone',
    ],
    [
      'an upload is swept one millisecond early',
      'active_at <«→=» $1 AND (lock_token IS NULL OR lock_ends_at < $4)',
      'stale from the millisecond',
    ],
    [
      'an upload is swept while a request adds to it',
      '«AND (lock_token IS NULL OR lock_ends_at < $4)→»',
      'only bytes make',
    ],
  ]),
  ...of('src/core/use-cases/files/sweep-uploads.ts', 'test/links/sweep-uploads.test.ts', [
    [
      'files for a request that ended are kept',
      "«statusAt(link, now) !== 'ACTIVE'→false»",
      'a request that ended',
    ],
    [
      'a file that cannot be removed keeps all others',
      '«errors.push(error)→throw error»;',
      'swept, and the failures',
    ],
  ]),
  ...of('src/core/use-cases/files/upload-space.ts', 'test/links/upload-space.test.ts', [
    ['uploads fill the disk of the database', '«- bytes >= minFreeBytes→>= 0»'],
    ['a client that announces much and sends little blocks others', ', «receivedBytes→bytes»));'],
  ]),

  ...of('src/core/model/chain.ts', 'test/links/chain.test.ts', [
    ['an entry is removed from a history, and verify confirms it', 'sha256(«before + →»hashedText)'],
    ['the numbers of a history begin with 0', 'entryCount« + 1→»'],
    ['the salt of an erased entry is left', 'salt: «null→entry.salt»,'],
  ]),
  ...of('src/core/model/hashed-text.ts', 'test/links/chain.test.ts', [
    ['the number of refused attempts can be changed in a history', '{ at, «count, →»format,'],
    [
      'the referrer of an attempt can be changed in a history',
      '{ ipAddress, recipientAddress, «referrer, →»salt,',
    ],
    [
      'the recipient of an attempt can be changed in a history',
      '{ ipAddress, «recipientAddress, →»referrer, salt,',
    ],
  ]),
  ...of('src/core/model/check-history.ts', 'test/stores/sqlite/recount.test.ts', [
    [
      'verify confirms a link that was reopened in the database',
      "«isRevoked && link.status !== 'REVOKED'→false»",
      'verifying finds another link\\.status',
    ],
    [
      'verify confirms a target that was changed in the database',
      '«stored === recorded→true» || ',
      'a recount confirms submissions',
    ],
  ]),

  ...of('src/core/use-cases/evidence/sign-checkpoint.ts', SQLITE, [
    [
      'a database with changed entries gets a checkpoint',
      'head.size > tree.size« || !(await hasTree(evidence, tree, head))→»',
      'changed fingerprint',
    ],
    [
      'the key continues a checkpoint that only the database has',
      "«verifyNote(signed, own, verifyEd25519).result === 'VALID'→true»",
      'has not signed',
    ],
    [
      'a damaged checkpoint beside the key stops a new log',
      'if (isNewLog) await keeper.«removeNewest→readNewest»()',
      'a new log begins',
    ],
    [
      'no new log begins where the key is that of another one',
      'if («!isNewLog && →»(!former || (tree?.signed && !own))',
      'is signed by the one before',
    ],
    [
      'an instance that is overtaken forgets the newer checkpoint',
      'if («other?.key === key && other.size > size→false»)',
      'overtaken',
    ],
  ]),
  ...of('src/core/use-cases/evidence/ask-witnesses.ts', 'test/evidence/witnesses.test.ts', [
    [
      'a witness without a number of entries gets a proof for it',
      '«parseSize→Number»(text.trim())',
      'no number',
    ],
  ]),
  ...of('src/adapters/witness.ts', 'test/evidence/witnesses.test.ts', [
    [
      'a stop waits for a witness',
      '«stopping ? AbortSignal.any([timeout, stopping]) : timeout→timeout»',
      'a stop signs the last entries',
    ],
  ]),
  ...of('src/service/compose-evidence.ts', 'test/evidence/key-file.test.ts', [
    [
      'a killed restore leaves the old key, which signs a second log',
      '«→await createKeyFile(path).write(await readKey());\n  »const keeper = {',
      'ends early',
    ],
  ]),
  ...of('src/stores/postgres/settled.ts', 'test/stores/postgres/settled.test.ts', [
    [
      'a checkpoint lacks entries of the newest transactions',
      '«pg_current_xact_id()→pg_snapshot_xmax(pg_current_snapshot())»',
      'newest ids',
    ],
  ]),
  ...of('src/core/use-cases/history/exported/check-evidence.ts', 'test/evidence/manipulations.test.ts', [
    [
      'a checkpoint vouches for entries that came after it',
      'index < «size→checkpoint.size»',
      'does not show',
    ],
    [
      'a proof of an earlier log condemns an unchanged history',
      "«isOfLink && keys.length === 0 ? undefined : 'the export'→'the export'»",
      'earlier log',
    ],
  ]),
  ...of('src/http/csv.ts', 'test/http/csv.test.ts', [
    ['a spreadsheet computes a cell that begins with @', '[=+\\-«@→»]'],
    ['a spreadsheet computes what follows a semicolon', '[«;→»\\t\\r\\n]'],
    ['a quote in a label ends its cell', '\'"«"→»\''],
  ]),
  ...of('src/tools/import/read-csv.ts', 'test/import/read-records.test.ts', [
    ['a line end in a quoted cell ends the row', 'code === LF« && !isQuoted→»'],
    ['a cell with the delimiter moves those after it', '«cells.length > columns.length→false»'],
  ]),

  ...of('src/common/translate.ts', 'test/web/dictionaries.test.ts', [
    ['“0 of 1 view” is in the plural', "«message.by ?? →»'count'"],
    ['French writes 0 in the plural', "rulesOf(«locale→'en'»)"],
  ]),
  ...of('src/common/translate.ts', 'test/http/languages.test.ts', [
    ['Germans read 1,000 as one', '«numbersOf(locale).format→String»(value)'],
  ]),
  ...of('src/common/languages.ts', 'test/http/languages.test.ts', [
    ['the second language of a browser is ignored', 'return tags.«→slice(0, 1).»map((tag)'],
  ]),

  ...of('src/adapters/delivery/signature.ts', 'test/notifications/payload.test.ts', [
    ['an old message can be sent again under a new time', "{«timestamp→''»}"],
    ['all links share one secret', "{«shortCode→''»}"],
    ['receivers that change their secret find no signature', "join('« →,»')"],
  ]),
  ...of('src/adapters/delivery/webhooks.ts', 'test/notifications/webhooks.test.ts', [
    [
      'the receiver of a link cannot check a signature',
      "«kind === 'LINK_WEBHOOK'→false» ?",
      'of a link is signed',
    ],
    [
      'a webhook reaches the local network by a second address',
      '= addresses«→.slice(0, 1)»\n',
      'with one of its addresses',
    ],
    ['a receiver that is overloaded gets a message once', '« || status === 429→»', 'retried unless'],
  ]),
  ...of('src/core/rules/receiver.ts', 'test/links/rules/receiver.test.ts', [
    ['a webhook reads the credentials of the cloud', "«'169.254.0.0/16', →»"],
    [
      'a webhook goes through the internet unencrypted',
      "if (protocol !== 'https:') return «'must begin with https://'→undefined»;",
    ],
  ]),
  ...of('src/core/use-cases/notify/settlement.ts', 'test/notifications/settlement.test.ts', [
    ['a receiver that is back waits for days', '2 ** (failures - 1), «→100 * »LONGEST_MS'],
  ]),
  ...of('src/core/use-cases/notify/settlement.ts', 'test/notifications/dispatcher.test.ts', [
    [
      'a restart asks a receiver that is down as often as a new one',
      '«hasResponded ? 0 : failuresBefore→0»',
      'after a stop',
    ],
  ]),
  ...of('src/adapters/delivery/render-mail.ts', 'test/notifications/render-mail.test.ts', [
    ['markup in a label is markup in a mail', "'<': '«&lt;→<»'"],
  ]),

  ...of('src/http/session-cookie.ts', 'test/http/sessions.test.ts', [
    ['another host of the domain can set the session', '`«__Host-→»$', 'behind https'],
    ['a script can read the session', '«HttpOnly; →»', 'behind https'],
    ['pages of other sites send the session', 'SameSite=«Lax→None»', 'behind https'],
    [
      'a request that names no page changes links with a session',
      '«(site !== undefined || origin !== undefined) && →»',
      'needs a page',
    ],
  ]),
  ...of('src/http/request-origin.ts', 'test/http/cross-site.test.ts', [
    [
      'a page of a sibling domain changes links',
      "site «!== 'same-origin' && site !== 'none→=== 'cross-site»'",
    ],
  ]),

  ...of('src/core/use-cases/erase/retention.ts', 'test/links/retention.test.ts', [
    ['a link is erased one millisecond early', 'item.at <«→=» before', 'SQLite.*unless they ended'],
    [
      'a link that opened again is erased',
      '!link« || !(await hasEnded(parts, link, before))→»',
      'SQLite.*open again',
    ],
  ]),
  ...of('src/stores/sql/erase.ts', 'test/stores/sqlite/recount.test.ts', [
    ['the user agent stays in an erased entry', '«user_agent = NULL, →»', 'erasing a client address'],
    ['the referrer stays in an erased entry', '«referrer = NULL, →»', 'any erasures leave'],
    [
      'the statistics count an erased address twice',
      "hash('sha256', key + row.ip_address«→ + row.seq»)",
      'erasing a client address',
    ],
  ]),

  ...of('src/core/use-cases/limits/rate-limiter.ts', 'test/limits/visit-limits.test.ts', [
    ['a limit of ten allows eleven', 'known.count - releasable >«=→» rate.events'],
    ['a right password counts as a guess', '«if (counts.get(key, clock())) await add(key, -events);→»'],
    ['a clock that was ahead locks a client out', '« && endsAt <= now + this.#rate.windowMs→»'],
  ]),
  ...of('src/core/model/ip-address.ts', 'test/limits/rate-limiter.test.ts', [
    ['an IPv6 subscriber has a limit for each address', '«.slice(0, prefixBits / GROUP_BITS)→»'],
  ]),
  ...of('src/core/use-cases/limits/visit-limits.ts', 'test/limits/visit-limits.test.ts', [
    ['one password can be tried for all names', '« || byClient.guessesBlockedMs(ofClient(guess))→»'],
  ]),
  ...of('src/core/use-cases/limits/visit-limits.ts', 'test/http/guess-limits.test.ts', [
    [
      'guesses of many clients are not slowed down',
      '«if (!found) delay?.addWrong(shortCode);→»',
      'only delay a visitor',
    ],
  ]),

  ...of('src/core/use-cases/create/plan-import.ts', 'test/import/plan-link.test.ts', [
    [
      'an imported link opens again after its last view',
      '«Math.max(requestedViews, viewCount)→requestedViews + viewCount»',
    ],
    ['an imported link without its password is open', 'isPaused: «record.refusals.length > 0→false»'],
    ['a link that expired before its import opens', "«isExpired ? 'EXPIRED' : →»'ACTIVE'"],
    ['1,234 views become none', '«/^\\d{1,3}(,\\d{3})+$/.test(text)→false»'],
  ]),

  ...of('src/core/use-cases/create/begin-request.ts', 'test/http/idempotency.test.ts', [
    [
      'a client gets the link of another one with its key',
      'JSON.stringify([«caller.id, →»key])',
      'key of another client',
    ],
    [
      'a key gives the link of another request',
      '«first && first.fingerprint !== fingerprint→false»',
      'another body or path',
    ],
  ]),
  ...of('src/core/use-cases/create/begin-request.ts', 'test/links/begin-request.test.ts', [
    ['the store alone shows which password was sent', "«(name === 'password' || name === 'text')→false»"],
  ]),
  ...of('src/core/model/decide-creations.ts', 'test/links/decide-creations.test.ts', [
    ['one request creates two links in a batch', '«if (idempotency) requests.add(idempotency);→»'],
    ['two links share one file', '«if (fileId !== undefined) pending.delete(fileId);→»'],
  ]),
  ...of('src/http/idempotency.ts', 'test/http/idempotency.test.ts', [
    [
      'a repeated response has the token of the link',
      '{ «token: _, webhookSecret: __, →»...shown }',
      'no token and no secret',
    ],
  ]),

  ...of('src/core/use-cases/files/resume-download.ts', 'test/http/leases.test.ts', [
    ['a range lacks its last byte', 'Math.min(last« + 1→», sizeBytes)', 'ranges of RFC 9110'],
    [
      'the last bytes of a file are its first ones',
      '{ firstByte: «sizeBytes - lengthBytes→0», lengthBytes }',
      'ranges of RFC 9110',
    ],
    [
      'a lease writes a million entries',
      '«Math.max(lengthBytes, Math.ceil(sizeBytes / parts))→lengthBytes»',
      'bounded number of parts',
    ],
  ]),
  ...of('src/http/byte-ranges.ts', 'test/http/leases.test.ts', [
    [
      'a range that ends before it begins is an error',
      '«Number(first) <= Number(last)→true»',
      'obeys no range',
    ],
    [
      'a file whose name looks like a token cannot be continued',
      'segments.«findIndex→findLastIndex»(',
      'look like the token',
    ],
  ]),

  ...of('src/core/rules/target-url.ts', 'test/links/rules/target-policy.test.ts', [
    ['a link leads to the service in a loop', '«leadsTo(new URL(baseUrl), url) || →»'],
    ['an encoded path leads to the service in a loop', '«tryToDecode(pathname) ?? →»pathname'],
  ]),
  ...of('src/core/rules/target-url.ts', 'test/links/rules/target-url.test.ts', [
    ['a backslash hides where a link leads', '([^/?#«\\\\→»]+)(?:[/?#]|$)'],
  ]),
  ...of('src/core/rules/blocked-hosts.ts', 'test/links/rules/blocked-hosts.test.ts', [
    ['a subdomain of a blocked host is not blocked', '«suffixesOf(hostName)→[hostName]»'],
  ]),
  ...of('src/core/model/forward-address.ts', 'test/links/forward-address.test.ts', [
    ['a visitor leaves the path of the target', '«UNSAFE_SEGMENT.test(text) || →»'],
    ['a visitor replaces a parameter of the target', "«!own.has(names.next().value ?? '')→true»"],
  ]),
  ...of('src/http/request-origin.ts', 'test/http/hosts.test.ts', [
    [
      'a page that rebinds its name reads the service',
      "«isOwn ? 'OWN' : { foreign: plain }→'OWN'»",
      'another host name',
    ],
    [
      'a name that ends like an allowed one is allowed',
      "host.startsWith('*.')).map((host) => host.slice(«1→2»))",
    ],
  ]),
  ...of('src/http/request-origin.ts', 'test/http/client-address.test.ts', [
    ['a visitor forges the address in its record', '«isTrusted(withoutPort(entry))→true»'],
  ]),

  ...of('src/stores/sqlite/round.ts', 'test/stores/sqlite/projector.test.ts', [
    ['attempts are counted twice', 'step.firstSeq = counted« + 1→»;', 'counts nothing twice'],
    [
      'attempts are left out of the statistics',
      'let counted = known.counted«→ + 1»;',
      'counts nothing twice',
    ],
  ]),
  ...of('src/stores/sql/projections.ts', SQLITE, [
    [
      'wrong passwords of previews are no security exceptions',
      "result IN ('INVALID_PASSWORD'«, 'PREVIEW_INVALID_PASSWORD'→»)",
      'previews are counted only by result',
    ],
    ['previews count as visitors', "{«IS_ATTEMPT→'true'»}`;", 'previews are counted only by result'],
  ]),
  ...of('src/stores/sql/projections.ts', 'test/stores/sqlite/contract.test.ts', [
    ['a ranking forgets one of many equals', 'shortCode «<=→>» threshold.shortCode', 'SQLite: rankings'],
  ]),

  ...of('src/core/rules/list-query.ts', 'test/links/rules/list-query.test.ts', [
    ['a page of one sort goes on in another', 'found &&« isOfSort &&→»'],
    ['a list without an order is the oldest first', "order ?? '«desc→asc»'"],
  ]),
  ...of('src/stores/sql/find-listed.ts', SQLITE, [
    [
      'a filter for expired links misses those that the job has not marked',
      "«states?.includes('EXPIRED')→false» ?",
      'every combination of filters',
    ],
    [
      'a cursor names a link that its reader may not see',
      '«last.number === next.number ? positionOf(last) : positionAfter(last.number, order→positionOf(last»)',
      'names no link that its reader',
    ],
    [
      'a search lists a link twice',
      'comparePositions(positionOf(row), start) >«→=» 0',
      'wherever the sample of a search ends',
    ],
  ]),
  ...of('src/core/rules/time-range.ts', 'test/links/rules/time-range.test.ts', [
    ['a range includes what was before its start', "roundingMode: '«ceil→floor»'"],
    ['a limit of 1,001 is accepted', 'limit <= max«→ + 1»'],
  ]),

  ...of('src/core/config/parsers.ts', 'test/config/values.test.ts', [
    ['50MB are 50 million bytes', "['MB', «1024→1000» ** 2]"],
    ['any client is a trusted proxy', 'version === 4 ? «8→1» :'],
    ['a retention of an hour is accepted', '>= «DAY_MS→HOUR_MS»'],
  ]),
  ...of('src/service/config/read-property.ts', 'test/config/sources.test.ts', [
    ['a flag loses against the environment', 'if (flag !== undefined«→ && !text») return'],
    ['a newline belongs to a password in a file', "«.replace(/\\r?\\n$/, '')→»"],
  ]),
  ...of('src/service/config/read-property.ts', 'test/config/errors.test.ts', [
    ['an error shows a secret', 'const isSecret = «isFromFile || property.secret→false»;'],
  ]),

  ...of('cli/failure.ts', 'test/cli/settings.test.ts', [
    ['a script cannot tell a wrong option from a failure', 'usage: «2→1»', 'exit code'],
    ['a script cannot tell a service that is away from a failure', 'unreachable: «3→1»', 'exit code'],
  ]),
  ...of('src/tools/commands/command.ts', 'test/commands/command.test.ts', [
    ['a service manager restarts a service with wrong settings', 'exitCode: «2→0»', 'without a stack'],
  ]),

  ...of('src/core/use-cases/files/compose-zip.ts', 'test/links/compose-zip.test.ts', [
    ['a ZIP over 4 GB cannot be unpacked', '«start >= MAX_32 || sizeBytes→sizeBytes»', 'central directory'],
    ['names of a ZIP are garbled', '.put16(«UTF8→0»)', 'unpackers|central directory'],
    ['a ZIP that goes on has other bytes', 'block.firstByte« + from→»', 'any part of a ZIP'],
  ]),
  ...of('src/core/rules/set-names.ts', 'test/links/rules/set-names.test.ts', [
    ['two files of a ZIP become one on Windows', ".normalize('NFC')«.toLowerCase().toUpperCase()→»"],
    ['a file of a ZIP is written outside its folder', "!['', '.'«, '..'→»].includes(segment.trim())"],
  ]),

  ...of('client/encryption/payload.ts', 'test/client/encryption.test.ts', [
    [
      'an encrypted file that is cut off looks whole',
      'nonce[11] = «isLast ? 1 : →»0;',
      'missing or added|library and',
    ],
    [
      'the chunks of an encrypted file can be swapped',
      'setUint32(7, «index % 2 ** 32→0»)',
      'missing or added|library and',
    ],
  ]),
  ...of('cli/age-cipher.ts', 'test/client/encryption.test.ts', [
    ['a changed byte of an encrypted file is not noticed', '«decipher.final();→»', 'missing or added'],
  ]),
];
