import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { fencedBlocks } from './documents.ts';

/** A command of a document's `console` block, and the answer that the document shows. */
export type Step = { line: number; command: string; answer: string };

/** The commands of a document in their order: lines after `$ `, with the lines that a backslash continues. */
export function stepsOf(document: string): Step[] {
  const steps: Step[] = [];
  for (const block of fencedBlocks(document, 'console')) {
    let isContinued = false;
    for (const [index, text] of block.text.trimEnd().split('\n').entries()) {
      const last = steps.at(-1);
      if (text.startsWith('$ ')) steps.push({ line: block.line + index, command: text.slice(2), answer: '' });
      else if (!last || last.line < block.line)
        throw new Error(`line ${block.line}: an answer to no command`);
      else if (isContinued) last.command += `\n${text}`;
      else last.answer += `${text}\n`;
      isContinued = text.endsWith('\\') && (isContinued || text.startsWith('$ '));
    }
  }
  return steps;
}

/** A shell that runs one command after the other and keeps its variables. */
export type Shell = { run(command: string): Promise<string> };

const ANSWER_WITHIN_MS = 100_000;
const END_OF_ANSWER = '--- end of answer 4c1b7e52 ---';

/**
 * Starts bash for one test. What a command writes to standard output or error is its answer, without carriage
 * returns and with one newline at its end.
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
  bash.stdin.on('error', () => {}); // a shell that ended is noticed by the answer that does not come
  bash.stdin.write(`exec 2>&1\n${prelude}\n`);

  return {
    async run(command) {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
      signal.addEventListener('abort', () => notify(), { once: true });
      bash.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\n%s\\n' '${END_OF_ANSWER}'\n`);
      const mark = `\n${END_OF_ANSWER}\n`;
      while (!output.includes(mark)) {
        if (hasEnded || signal.aborted) throw new Error(`"${command}" did not end; so far: ${output}`);
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
      const answer = output.slice(0, output.indexOf(mark));
      output = output.slice(output.indexOf(mark) + mark.length);
      return `${answer.replaceAll('\r', '').trim()}\n`;
    },
  };
}

const ISO_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const SHORT_CODE = /"shortCode":"(\w{8})"/g;

/**
 * The short codes of a document and those of the answers that stand for them. A code that an answer tells for
 * the first time is learned; from then on the document's code means that one.
 */
export function shortCodes() {
  const real = new Map<string, string>();
  return {
    learn(documented: string, actual: string): void {
      const told = [...actual.matchAll(SHORT_CODE)];
      for (const [index, [, code = '']] of [...documented.matchAll(SHORT_CODE)].entries()) {
        const realCode = told[index]?.[1];
        if (realCode && !real.has(code)) real.set(code, realCode);
      }
    },
    /** A text of the document with the real codes in it. */
    toReal: (text: string): string => text.replace(/\b\w{8}\b/g, (word) => real.get(word) ?? word),
  };
}

/** A text whose times in UTC and UUIDs are taken out, because no two runs share them. */
export function withoutChance(text: string): string {
  return text.replace(ISO_TIME, '<time>').replace(UUID, '<uuid>');
}

/** What a documented answer allows: itself; a line of `…` is any number of lines, a `…` in a line any text. */
export function toPattern(answer: string): RegExp {
  const lines = answer.trimEnd().split('\n');
  const patterns = lines.map((line) =>
    line === '…' ? '(?:.*\n)*?' : `${line.split('…').map(RegExp.escape).join('.*')}\n`,
  );
  return new RegExp(`^${patterns.join('')}$`);
}
