/** One instruction of a Dockerfile, with its continued lines joined. */
export type Instruction = { keyword: string; text: string };

/** A stage of a Dockerfile: a FROM and the instructions behind it. */
export type Stage = { base: string; name: string; instructions: Instruction[] };

/** Parses a Dockerfile without heredocs and parser directives. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === '') throw new Error(`no instruction: ${line}`);
    const [, base = '', name = ''] = (keyword === 'FROM' && /^(\S+)(?: AS (\S+))?$/.exec(rest)) || [];
    if (base) stages.push({ base, name, instructions: [] });
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
