import { existsSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, ROOT, readProjectFile } from './documents.ts';

/** One import of a source: the path of a file of the project, or the name of a package. */
export type Import = { target: string; isOwn: boolean; isTypeOnly: boolean; isLazy: boolean };
export type Source = { path: string; text: string; code: string; imports: Import[]; threads: string[] };

/** Every source below these directories. */
export function sourcesOf(...directories: string[]): Source[] {
  return directories
    .filter((directory) => existsSync(ROOT + directory))
    .flatMap((directory) => ['.ts', '.tsx', '.js'].flatMap((ending) => filesBelow(directory, ending)))
    .filter((file) => !file.startsWith('web/dist/'))
    .map(readSource);
}

export function readSource(file: string): Source {
  const text = readProjectFile(file);
  const code = withoutComments(text);
  const toPath = (specifier: string) => path.posix.join(path.posix.dirname(file), specifier);
  const imports = [
    ...code.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm),
    ...code.matchAll(/\bimport\(()\s*'([^']+)'/g),
  ].map(([text, type, specifier = '']) => {
    const isOwn = specifier.startsWith('.');
    return {
      target: isOwn ? toPath(specifier) : specifier,
      isOwn,
      isTypeOnly: Boolean(type),
      isLazy: /^import\(/.test(text),
    };
  });
  const threads = [...code.matchAll(/new URL\('([^']+\.[jt]s)', import\.meta\.url\)/g)];
  return { path: file, text, code, imports, threads: threads.map(([, script = '']) => toPath(script)) };
}

/**
 * The code of a source without its comments. It also removes what resembles a comment
 * inside a string, which does not affect these checks.
 */
function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replaceAll(/[^\n]/g, ' ');
  return text.replaceAll(/\/\*.*?\*\//gs, blank).replaceAll(/(?<=^|\s)\/\/.*$/gm, blank);
}
