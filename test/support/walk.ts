import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { fencedBlocks } from './documents.ts';

/** A command of a document's `console` block, and the output that the document shows. */
export type Step = { line: number; command: string; output: string };

/** Returns the commands of a document in order: lines after `$ `, with lines continued by a backslash. */
export function stepsOf(document: string): Step[] {
  const steps: Step[] = [];
  for (const block of fencedBlocks(document, 'console')) {
    let isContinued = false;
    for (const [index, text] of block.text.trimEnd().split('\n').entries()) {
      const last = steps.at(-1);
      if (text.startsWith('$ ')) steps.push({ line: block.line + index, command: text.slice(2), output: '' });
      else if (!last || last.line < block.line)
        throw new Error(`line ${block.line}: output without a command`);
      else if (isContinued) last.command += `\n${text}`;
      else last.output += `${text}\n`;
      isContinued = text.endsWith('\\') && (isContinued || text.startsWith('$ '));
    }
  }
  return steps;
}

/** A shell that runs commands in order and keeps its variables. */
export type Shell = { run(command: string): Promise<string> };

const COMMAND_TIMEOUT_MS = 100_000;
const END_OF_OUTPUT = '--- end of output 4c1b7e52 ---';

/**
 * Starts bash for one test. The output of a command includes standard error, without carriage returns and with one
 * newline at its end.
 */
export function openShell(
  t: TestContext,
  options: { cwd: string; env: Record<string, string>; prelude: string },
): Shell {
  const { cwd, prelude } = options;
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd, env: { ...process.env, ...options.env } });
  t.after(() => bash.kill('SIGKILL'));
  let output = '';
  let hasEnded = false;
  let notify = () => {};
  function end(): void {
    hasEnded = true;
    notify();
  }
  bash.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    notify();
  });
  bash.on('error', end).on('close', end);
  bash.stdin.on('error', () => {}); // `run` reports a shell that has ended
  bash.stdin.write(`exec 2>&1\n${prelude}\n`);

  return {
    async run(command) {
      const signal = AbortSignal.timeout(COMMAND_TIMEOUT_MS);
      signal.addEventListener('abort', () => notify(), { once: true });
      bash.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\n%s\\n' '${END_OF_OUTPUT}'\n`);
      const mark = `\n${END_OF_OUTPUT}\n`;
      while (!output.includes(mark)) {
        if (hasEnded || signal.aborted) throw new Error(`"${command}" did not end; so far: ${output}`);
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
      const printed = output.slice(0, output.indexOf(mark));
      output = output.slice(output.indexOf(mark) + mark.length);
      return `${printed.replaceAll('\r', '').trim()}\n`;
    },
  };
}

const ISO_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const SHORT_CODE = /"shortCode":"(\w{8})"/g;

/** Maps the short codes of a document to the real ones, which it learns from the first output that contains them. */
export function shortCodes() {
  const real = new Map<string, string>();
  return {
    learn(documented: string, actual: string): void {
      const printed = [...actual.matchAll(SHORT_CODE)];
      for (const [index, [, code = '']] of [...documented.matchAll(SHORT_CODE)].entries()) {
        const realCode = printed[index]?.[1];
        if (realCode && !real.has(code)) real.set(code, realCode);
      }
    },
    /** Returns a text of the document with the real codes. */
    toReal: (text: string): string => text.replace(/\b\w{8}\b/g, (word) => real.get(word) ?? word),
  };
}

/** Returns a text without UTC times and UUIDs, which differ between runs. */
export function withoutRandomParts(text: string): string {
  return text.replace(ISO_TIME, '<time>').replace(UUID, '<uuid>');
}

/** Returns the pattern of a documented output. A line of `…` matches any lines, a `…` in a line any text. */
export function toPattern(documented: string): RegExp {
  const lines = documented.trimEnd().split('\n');
  const patterns = lines.map((line) =>
    line === '…' ? '(?:.*\n)*?' : `${line.split('…').map(RegExp.escape).join('.*')}\n`,
  );
  return new RegExp(`^${patterns.join('')}$`);
}
