import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../web/sources.ts';

/** A stage of a Dockerfile: a FROM and the instructions after it, with their continued lines joined. */
export type Stage = { base: string; instructions: { keyword: string; text: string }[] };

/** The stages of the project's Dockerfile, which has no heredocs and parser directives. */
export const STAGES = readStages();

/** The stage that becomes the image. */
export const IMAGE_STAGE: Stage = STAGES.at(-1) ?? { base: 'none', instructions: [] };

function readStages(): Stage[] {
  const lines = readFileSync(join(PROJECT, 'Dockerfile'), 'utf8')
    .replaceAll(/^[ \t]*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (keyword === '') throw new Error(`no instruction: ${line}`);
    if (keyword === 'FROM') stages.push({ base: rest, instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, text: rest.trim() });
  }
  return stages;
}

/** Returns the texts of a stage's instructions with a keyword, in their order. */
export function textsOf({ instructions }: Stage, keyword: string): string[] {
  return instructions.filter((instruction) => instruction.keyword === keyword).map(({ text }) => text);
}

/** Returns the words of an instruction in exec form. */
export function execForm(text: string): string[] {
  const words: unknown = JSON.parse(text.slice(text.indexOf('[')));
  if (!Array.isArray(words)) throw new Error(`not in exec form: ${text}`);
  return words.map(String);
}
