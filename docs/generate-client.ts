import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { type OpenApi, readOpenApi } from './generate-api.ts';
import { shareRecords } from './share-records.ts';

// Writes client/api-types.ts from the service's own OpenAPI document, /openapi.json.

const HEADER = '// Generated from /openapi.json by `npm run docs`. Do not edit.\n\n';

/** Gives openapi-typescript a compiler that it can use. */
function provideCompiler(): void {
  const url = import.meta.resolve('./library-compiler.ts');
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'typescript' ? { url, shortCircuit: true } : next(specifier, context),
  });
}

/** Leaves out the requests that have no response to read. The client does not send them. */
function withoutHead({ paths, ...rest }: OpenApi): OpenApi {
  const kept = Object.entries(paths).map(([path, { head: _, ...operations }]) => [path, operations]);
  return { ...rest, paths: Object.fromEntries(kept) };
}

/** Returns the types of every path and record of an API, as TypeScript. */
export async function apiTypes(openApi: OpenApi): Promise<string> {
  provideCompiler();
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  const nodes = await openapiTypescript(JSON.stringify(shareRecords(withoutHead(openApi))), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    silent: true,
  });
  return HEADER + astToString(nodes);
}

if (import.meta.main) {
  writeFileSync(new URL('../client/api-types.ts', import.meta.url), await apiTypes(await readOpenApi()));
}
