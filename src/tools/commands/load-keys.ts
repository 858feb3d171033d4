import type { Scope } from '../../core/model/people/caller.ts';
import { parseKeyName } from '../../core/rules/key-name.ts';
import { parsePersonName } from '../../core/rules/people-rules.ts';
import { loadSettings, type Report } from '../../service/config/load-settings.ts';
import { type Parser, parseDuration } from '../../service/config/parsers.ts';
import { type Arguments, describeUnknown, parseScopes, readFlag } from '../../service/config/read-flags.ts';
import { quote, type Sources } from '../../service/config/read-property.ts';

/** The actions of `postern keys`. */
export type KeysAction =
  | {
      kind: 'create';
      name: string;
      scopes: Scope[];
      owner: string | null;
      lifetime: Temporal.Duration | null;
    }
  | { kind: 'list' }
  | { kind: 'revoke'; name: string };

const KINDS = ['create', 'list', 'revoke'] as const;
/** The options of `create`. */
export const KEYS_OPTIONS = {
  scopes: { type: 'string', value: 'LIST', help: 'What a new key may do, separated by commas' },
  owner: {
    type: 'string',
    value: 'NAME',
    help: 'The person whose key it is, and whose rights limit it; without it, the key is of a service',
  },
  expires: {
    type: 'string',
    value: 'DURATION',
    help: 'Ends a new key after this time, ISO 8601, such as P90D; without it, it does not expire',
  },
} as const;
/** Reads the action from the arguments, and the configuration of the service. */
export function loadKeys(sources: Sources) {
  return loadSettings(sources, KEYS_OPTIONS, readAction);
}

/** Returns undefined after an error that leaves no action. */
function readAction({ words, flags, errors }: Arguments, report: Report): KeysAction | undefined {
  const [kind, name, ...more] = words;
  for (const word of more) report(`unexpected argument ${quote(word)}; quote a name that has spaces`);
  switch (kind) {
    case 'create': {
      const scopes = readFlag(flags, 'scopes', parseScopes, report);
      if (!flags.has('scopes') && errors.length === 0)
        report('--scopes is missing; say what the key may do, such as --scopes=create,read');
      const lifetime = readFlag(flags, 'expires', parseDuration, report);
      const owner = readFlag(flags, 'owner', parsePersonName, report);
      const keyName = readName(kind, name, parseKeyName, report);
      if (keyName === undefined || scopes === null) return undefined;
      return { kind, name: keyName, scopes, owner, lifetime };
    }
    case 'list':
    case 'revoke': {
      for (const flag of Object.keys(KEYS_OPTIONS))
        if (flags.has(flag)) report(`--${flag} is only for create; leave it out`);
      if (kind === 'revoke') {
        const keyName = readName(kind, name, (text) => ({ ok: true, value: text.normalize('NFC') }), report);
        return keyName === undefined ? undefined : { kind, name: keyName };
      }
      if (name !== undefined) report(`unexpected argument ${quote(name)}; list takes no name`);
      return { kind };
    }
    default:
      report(describeUnknown('command', kind, KINDS, 'see --help'));
      return undefined;
  }
}

/** Reads the name after the action of a command. `example`: the noun for what has the name, and an example. */
export function readName(
  kind: string,
  name: string | undefined,
  parse: Parser<string>,
  report: Report,
  example = `key, such as ${kind} ci`,
): string | undefined {
  if (name === undefined) {
    report(`${kind} needs the name of the ${example}`);
    return undefined;
  }
  const parsed = parse(name);
  if (parsed.ok) return parsed.value;
  report(`name ${quote(name)} ${parsed.error}`);
  return undefined;
}
