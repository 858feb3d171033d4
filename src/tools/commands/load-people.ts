import { accept } from '../../core/model/parsed.ts';
import type { Scope } from '../../core/model/people/caller.ts';
import type { PersonChange } from '../../core/model/people/decide-person-change.ts';
import { isMailAddress } from '../../core/rules/notify-email.ts';
import { parsePersonName } from '../../core/rules/people-rules.ts';
import { loadSettings, type Report } from '../../service/config/load-settings.ts';
import { type Parser, refuse } from '../../service/config/parsers.ts';
import { type Arguments, describeUnknown, parseScopes, readFlag } from '../../service/config/read-flags.ts';
import { quote, type Sources } from '../../service/config/read-property.ts';
import { readName } from './load-keys.ts';

/** The actions of `postern people`. */
export type PeopleAction =
  | {
      kind: 'add';
      name: string;
      scopes: Scope[];
      email: string | null;
      isEmergency: boolean;
      ownsLinks: boolean;
    }
  | { kind: 'list' }
  | { kind: 'reset'; name: string }
  | { kind: 'change'; name: string; wanted: PersonChange };

const OPTION_KINDS: Record<keyof typeof PEOPLE_OPTIONS, (typeof KINDS)[number][]> = {
  scopes: ['add', 'scopes'],
  email: ['add'],
  'links-to': ['deactivate'],
  emergency: ['add'],
  'owns-links': ['add'],
};

const KINDS = ['add', 'list', 'scopes', 'deactivate', 'activate', 'reset'] as const;
/** The options, each of some actions. */
export const PEOPLE_OPTIONS = {
  scopes: { type: 'string', value: 'LIST', help: 'What the person may do, separated by commas' },
  email: { type: 'string', value: 'ADDRESS', help: 'Lets the person sign in with OpenID Connect too' },
  'links-to': {
    type: 'string',
    value: 'NAME',
    help: 'The person who gets the links of one who is deactivated',
  },
  emergency: { type: 'boolean', help: 'Lets the person use a password also with app.oidc.only' },
  'owns-links': {
    type: 'boolean',
    help: 'Gives the person the links that a user of the reverse proxy owns by this name',
  },
} as const;

/** Reads the action from the arguments, and the configuration of the service. */
export function loadPeople(sources: Sources) {
  return loadSettings(sources, PEOPLE_OPTIONS, readAction);
}

/** Returns undefined after an error that leaves no action. */
function readAction({ words, flags, errors }: Arguments, report: Report): PeopleAction | undefined {
  const [word, name, ...more] = words;
  const kind = KINDS.find((each) => each === word);
  for (const other of more) report(`unexpected argument ${quote(other)}; quote a name that has spaces`);
  if (kind === undefined) {
    report(describeUnknown('command', word, KINDS, 'see --help'));
    return undefined;
  }
  for (const [flag, kinds] of Object.entries(OPTION_KINDS))
    if (flags.has(flag) && !kinds.includes(kind))
      report(`--${flag} is only for ${kinds.join(' and ')}; leave it out`);
  if (kind === 'list') {
    if (name !== undefined) report(`unexpected argument ${quote(name)}; list takes no name`);
    return { kind };
  }
  const personName = readName(kind, name, parsePersonName, report, `person, such as ${kind} ada`);
  if (kind === 'reset') return personName === undefined ? undefined : { kind, name: personName };
  if (kind === 'activate' || kind === 'deactivate') {
    const linksTo = readFlag(flags, 'links-to', parsePersonName, report);
    const wanted = { isActive: kind === 'activate', ...(linksTo !== null && { linksTo }) };
    return personName === undefined ? undefined : { kind: 'change', name: personName, wanted };
  }
  const scopes = readFlag(flags, 'scopes', parseScopes, report);
  if (!flags.has('scopes') && errors.length === 0)
    report('--scopes is missing; say what the person may do, such as --scopes=create,read');
  const email = readFlag(flags, 'email', parseAddress, report);
  if (personName === undefined || scopes === null) return undefined;
  if (kind === 'scopes') return { kind: 'change', name: personName, wanted: { scopes } };
  const given = { isEmergency: flags.has('emergency'), ownsLinks: flags.has('owns-links') };
  return { kind, name: personName, scopes, email, ...given };
}

const parseAddress: Parser<string> = (text) =>
  isMailAddress(text)
    ? accept(text.toLowerCase())
    : refuse('must be a mail address, such as ada@example.com');
