import type { Options } from '../src/service/config/options.ts';

/** A command, with the names and texts of its options. The name of a property ends in `=`: its value follows at once. */
export type CompletedCommand = {
  name: string;
  summary: string;
  /** The names of its arguments, as in the help. */
  words: string;
  options: Options;
};

/** Returns the values of the first argument of a command, if only these are valid: `list` of `create NAME|list`. */
export function choicesOf(words: string): string[] {
  const first = words.split('|').map((form) => form.split(' ')[0] ?? '');
  return first.every((word) => /^[a-z]+$/.test(word)) ? first : [];
}

/** Quotes a text for bash and zsh. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function toBash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, words, options }) => {
    const choices = choicesOf(words);
    const flags = Object.keys(options).map((option) => `--${option}`);
    return `    ${name}) words=${quote(choices.join(' '))} flags=${quote(flags.join(' '))} ;;\n`;
  });
  return `# Completions of postern for bash.
_postern() {
  local word=$2 words= flags=
  case \${COMP_WORDS[1]} in
${cases.join('')}  esac
  if ((COMP_CWORD == 1)); then words=${quote(commands.map(({ name }) => name).join(' '))} flags='--help --version'; fi
  if [[ $word == -* ]]; then words=$flags; elif ((COMP_CWORD > 2)); then words=; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _postern postern
`;
}

function toZsh(commands: readonly CompletedCommand[]): string {
  const describe = (name: string, text: string) => quote(`${name.replaceAll(':', '\\:')}:${text}`);
  const cases = commands.map(({ name, words, options }) => {
    const choices = choicesOf(words);
    const flags = Object.entries(options).map(([option, { help }]) => describe(`--${option}`, help));
    return `    ${name}) choices=(${choices.join(' ')}) flags=(${flags.join(' ')}) ;;\n`;
  });
  return `#compdef postern
# Completions of postern for zsh.
_postern() {
  local -a names choices flags
  names=(${commands.map(({ name, summary }) => describe(name, summary)).join(' ')})
  case $words[2] in
${cases.join('')}  esac
  if ((CURRENT == 2)); then _describe command names
  elif [[ $PREFIX == -* ]]; then _describe -o option flags -S ''
  elif ((CURRENT == 3 && $#choices)); then _describe argument choices
  else _files; fi
}
if [[ $funcstack[1] == _postern ]]; then _postern "$@"; else compdef _postern postern; fi
`;
}

function toFish(commands: readonly CompletedCommand[]): string {
  const complete = (condition: string, rest: string, text: string) =>
    `complete -c postern -n '${condition}' ${rest} -d ${quote(text)}\n`;
  const lines = commands.flatMap(({ name, summary, words, options }) => {
    const choices = choicesOf(words);
    const isGiven = `__fish_seen_subcommand_from ${name}`;
    return [
      complete('__fish_use_subcommand', `-f -a ${name}`, summary),
      ...choices.map((choice) => complete(`${isGiven}; and __fish_is_nth_token 2`, `-f -a ${choice}`, '')),
      ...Object.entries(options).map(([option, { help }]) => complete(isGiven, `-a '--${option}'`, help)),
    ];
  });
  return `# Completions of postern for fish.\n${lines.join('')}`;
}

/** Each shell that has completions, with the script that it loads. */
export const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish };
