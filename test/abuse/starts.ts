import { chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, figure } from '../drive/report.ts';
import { send } from '../support/http-client.ts';
import { freePort, isReady, serviceFlags, startProgram } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { onVictim, type Row, type Scene } from './victim.ts';

/** Starts a service that should refuse to. Returns its exit code, or 0 when it starts. */
async function exitCode(scene: Scene, directory: string, flags: string[]): Promise<number> {
  const args = ['cli/main.ts', 'serve', ...serviceFlags(directory, await freePort()), ...flags];
  const running = startProgram(scene.cleanup, args);
  const started = running.waitForOutput(isReady).then(
    () => 0,
    () => undefined,
  );
  const exited = running.exited.then(({ code }) => code ?? -1);
  const code = await Promise.race([started.then((value) => value ?? exited), exited]);
  running.signal('SIGKILL');
  return code;
}

/** The exit codes of a start that fails, and of settings that are wrong. */
const [FAILED, WRONG_SETTINGS] = [1, 2];

const refused = (what: string, value: number, equals = FAILED): Figure => ({
  ...{ what, value, equals },
  unit: 'count',
});

export const proxyRanges: Row = {
  name: 'proxy-ranges',
  attack: 'trusted proxies 0.0.0.0/1,128.0.0.0/1',
  mustBe: 'refused like /0',
  async run(scene) {
    const ranges = ['0.0.0.0/1,128.0.0.0/1', '::/1,8000::/1', '::ffff:0:0/96'];
    const figures: Figure[] = [];
    for (const range of ranges) {
      const directory = temporaryDirectory(scene.cleanup);
      const code = await exitCode(scene, directory, [`--app.trusted-proxies=${range}`]);
      figures.push(refused(`exit code with ${range}`, code, WRONG_SETTINGS));
    }
    return figures;
  },
};

export const storageDirectory: Row = {
  name: 'storage-directory',
  attack: 'a storage directory that other users control',
  mustBe: 'refused',
  async run(scene) {
    const prepare = (change: (files: string) => void): string => {
      const directory = temporaryDirectory(scene.cleanup);
      const files = join(directory, 'files');
      mkdirSync(files, { mode: 0o700 });
      change(files);
      return directory;
    };
    const linked = prepare((files) => {
      mkdirSync(join(files, '../elsewhere'));
      symlinkSync(join(files, '../elsewhere'), join(files, 'incoming'));
    });
    const figures = [
      refused('exit code with incoming as a symbolic link', await exitCode(scene, linked, [])),
    ];
    // Only root can give a directory to another user.
    if (process.getuid?.() !== 0) return figures;
    const foreign = prepare((files) => {
      chownSync(files, 65_534, 65_534);
    });
    return [
      ...figures,
      refused('exit code with the directory of another user', await exitCode(scene, foreign, [])),
    ];
  },
};

export const forwardedWarning: Row = {
  name: 'forwarded-warning',
  attack: 'a private peer sends X-Forwarded-For while app.trusted-proxies is not set',
  mustBe: 'one warning that says what to set',
  run: onVictim(async (victim) => {
    const count = (): number => {
      const lines = victim.output.stdout.split('\n').filter((line) => line.includes('"level":"warn"'));
      return lines.filter((line) => line.includes('app.trusted-proxies')).length;
    };
    const before = count();
    for (let sent = 0; sent < 5; sent++) {
      await send(victim, '/l/unknown1', { headers: { 'x-forwarded-for': `203.0.113.${sent}` } });
    }
    await pause(200);
    return [figure.count('warnings', count() - before, 1)];
  }),
};
