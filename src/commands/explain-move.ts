/** What a person can do about a fault, by the codes of databases, file systems and object storage. */
const ADVICE: [codes: (string | number)[], advice: string][] = [
  [['28P01', '28000'], 'check the user and the password in the URL'],
  [['3D000'], 'make the database first, for example with CREATE DATABASE, or correct its name'],
  [
    ['42501', '3F000'],
    'the user needs the right to make tables in the target, and to read them in the source; the schema of its search path must be there',
  ],
  [['25006'], 'this server only reads: name the one that writes, or add target_session_attrs=read-write'],
  [['53100', 'ENOSPC', 'EDQUOT', 13], 'the disk is full: make room, and run the same command again'],
  [['53300'], 'the database has no free connection: stop what holds them, and run the same command again'],
  [
    ['EACCES', 'EPERM', 'EROFS', 8, 14],
    'this user may not read or write there: check the rights of the path',
  ],
  [['ENOENT'], 'check that the path is there'],
  [[5, 6], 'another program uses this database: stop it, and run the same command again'],
  [[11, 26], 'the file is damaged, or no SQLite database: restore it from a backup'],
];

/** A fault in words, with what to do about it where that is known. No error here has a password in it. */
export function explainMoveFault(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const found = codesOf(fault);
  const advice = ADVICE.find(([codes]) => codes.some((code) => found.includes(code)))?.[1];
  if (advice) return `${fault.message}: ${advice}`;
  if (isOfConnection(fault)) {
    return `${fault.message}: check that it runs and can be reached from here, and run the same command again`;
  }
  return fault.message;
}

function isOfConnection(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  return fault.name === 'Unreachable' || fault.name === 'ConnectionLost' || isOfConnection(fault.cause);
}

/** SQLite's extended codes have its plain one in their lowest byte. */
function codesOf(fault: unknown): (string | number)[] {
  if (!(fault instanceof Error)) return [];
  const codes: (string | number)[] = [];
  if ('code' in fault && typeof fault.code === 'string') codes.push(fault.code);
  if ('errcode' in fault && typeof fault.errcode === 'number') codes.push(fault.errcode & 0xff);
  return [...codes, ...codesOf(fault.cause)];
}
