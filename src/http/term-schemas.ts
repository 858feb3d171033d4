import { type TSchema, type TSchemaOptions, Type } from 'typebox';
import type { LinkType } from '../core/model/link-type.ts';
import { CUSTOM_CODE } from '../core/model/short-code.ts';
import { TERM_DESCRIPTIONS } from '../core/model/term-descriptions.ts';
import { canHave, isList, TERM_NAMES, type Term, type TermName, termOf } from '../core/model/terms.ts';
import { MAX_VIEWS } from '../core/rules/term-rules.ts';
import { nullable } from './schema-builders.ts';

// The schemas of the terms of a link, in requests and responses, as the table of the terms has them.

type Schemas = Record<string, TSchema>;

/** Returns the schema of the value of a term. */
function schemaOf({ kind, maxLength, maxItems }: Term, options: TSchemaOptions): TSchema {
  const bounds = maxLength === undefined ? {} : { maxLength };
  switch (kind) {
    case 'flag':
      return Type.Boolean(options);
    case 'count':
      return Type.Integer({ minimum: 1, maximum: MAX_VIEWS, ...options });
    case 'instant':
      return Type.String({ format: 'date-time', ...options });
    case 'tags':
      return Type.Array(Type.String(bounds), { ...(maxItems !== undefined && { maxItems }), ...options });
    case 'addresses':
      return Type.Array(Type.String({ format: 'email', ...bounds }), {
        ...(maxItems !== undefined && { maxItems }),
        ...options,
      });
    case 'url':
    case 'receiver':
      return Type.String({ format: 'uri', ...bounds, ...options });
    case 'email':
      return Type.String({ format: 'email', ...bounds, ...options });
    case 'code':
      return Type.String({ pattern: CUSTOM_CODE.source, ...options }); // of Unicode characters, as JSON Schema has them
    default:
      return Type.String({ ...bounds, ...options });
  }
}

const toSchemas = (toSchema: (name: TermName) => TSchema, names: readonly TermName[]): Schemas =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(toSchema(name))]));

function describe(name: TermName, isCreation = false): string {
  const { about, details, ifAbsent } = TERM_DESCRIPTIONS[name];
  return [about, details, isCreation && ifAbsent].filter(Boolean).join('. ');
}

/** Returns the members of a request that creates a link of a type. */
export function requestTerms(type: LinkType): Schemas {
  const names = TERM_NAMES.filter((name) => canHave(type, name));
  return toSchemas((name) => {
    const isFlag = termOf(name).kind === 'flag';
    return schemaOf(termOf(name), { ...(isFlag && { default: false }), description: describe(name, true) });
  }, names);
}

/** The same as the texts of a form with a file. */
export const FORM_TERMS: Schemas = {
  ...requestTerms('DOWNLOAD'),
  ...Object.fromEntries(
    TERM_NAMES.filter((name) => isList(termOf(name).kind)).map((name) => [
      name,
      Type.Optional(Type.String({ description: `${TERM_DESCRIPTIONS[name].about}, separated by commas` })),
    ]),
  ),
};

/** The members of a patch. Null removes a term, and a flag has none. */
export const PATCH_TERMS: Schemas = toSchemas(
  (name) => {
    const isPassword = name === 'password';
    const schema = schemaOf(termOf(name), {
      ...(isPassword && { minLength: 1 }),
      description: describe(name),
    });
    return termOf(name).kind === 'flag' ? schema : nullable(schema);
  },
  TERM_NAMES.filter((name) => name !== 'customCode'),
);

const READERS = {
  readers: 'Only for those who may read the history',
  changers: 'Only for those who may change the link',
};

/** The members of a description. */
export const SHOWN_TERMS: Schemas = Object.fromEntries(
  TERM_NAMES.flatMap((name) => {
    const term = termOf(name);
    const { kind, shownTo } = term;
    if (kind === 'password' || kind === 'code' || shownTo === 'none') return [];
    const { about, shown = about } = TERM_DESCRIPTIONS[name];
    const description = [shown, shownTo && READERS[shownTo]].filter(Boolean).join('. ');
    const isNullable = kind !== 'flag' && !isList(kind);
    const schema = isNullable
      ? nullable(schemaOf(term, {}), { description })
      : schemaOf(term, { description });
    return [[name, shownTo === undefined ? schema : Type.Optional(schema)]];
  }),
);

export const CustomCode = Type.Optional(
  schemaOf(termOf('customCode'), { description: describe('customCode') }),
);
