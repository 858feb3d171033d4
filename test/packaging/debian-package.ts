import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { debianUnit } from '../../packaging/debian-package.ts';
import { readProjectFile } from '../support/documents.ts';
import { inOtherRoot, NO_OTHER_ROOT } from '../support/other-root.ts';
import { serveWith, useAndStop } from '../support/packages.ts';
import { temporaryDirectory } from '../support/service.ts';

const has = (program: string): boolean => spawnSync('which', [program]).status === 0;
export const NO_DEBIAN = has('apt-get') && has('dpkg-deb') ? NO_OTHER_ROOT : 'needs a Debian';

/** Installs the package with another default, as a later version has it. dpkg cannot ask, and fails if it has to. */
const UPGRADE = `cd /tmp && dpkg-deb --raw-extract /postern.deb later
  find later -name postern.conf -exec sh -c 'echo "# later" >> "$1"' sh {} ';'
  dpkg-deb -Znone --build later later.deb && dpkg --install later.deb < /dev/null`;

/** Mounts this system with a layer above it that takes all changes. */
function mountScratchSystem(t: TestContext): string {
  // Hooks run in their order: before the directory is removed.
  t.after(() => void execFileSync('umount', ['--lazy', root]));
  const directory = temporaryDirectory(t);
  const [changes = '', work = '', root = ''] = ['changes', 'work', 'root'].map((name) =>
    join(directory, name),
  );
  for (const path of [changes, work, root]) mkdirSync(path);
  const layers = `lowerdir=/,upperdir=${changes},workdir=${work}`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root]);
  return root;
}

/** Installs the package with apt into a copy of this system, and runs the service as its unit does. */
export async function tryDebianPackage(t: TestContext, path: string): Promise<void> {
  const root = mountScratchSystem(t);
  const run = (...command: string[]): string => {
    const [program = '', ...args] = inOtherRoot({ path: root }, command);
    return execFileSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  };
  copyFileSync(path, join(root, 'postern.deb'));
  const printed = run('apt-get', 'install', '--yes', '--no-install-recommends', '/postern.deb');
  assert.match(printed, /Postern is installed\. Set app\.base-url/);
  const idOf = (option: string) => Number(run('id', option, 'postern'));
  const user = { uid: idOf('-u'), gid: idOf('-g') };
  const unit = Object.groupBy([...debianUnit().matchAll(/^(\w+)=(.*)$/gm)], ([, name = '']) => name);
  const settingsOf = (name: string): string[] => (unit[name] ?? []).map(([, , value = '']) => value);

  await t.test('the commands of README.Debian create the database and the first key', () => {
    const [command = ''] =
      /sudo -u postern (.*)$/m.exec(readProjectFile('packaging/debian/README.Debian'))?.slice(1) ?? [];
    const [program = '', ...args] = inOtherRoot({ path: root, user }, ['/bin/sh', '-c', command]);
    const key = execFileSync(program, args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });
    assert.match(key, /Created the key "admin".*sqlite:\/var\/lib\/postern\/postern\.db, which is new/s);
  });

  await t.test('the unit starts the service with the settings of the configuration file', async (t) => {
    const [command = ''] = settingsOf('ExecStart');
    const env = Object.fromEntries(
      settingsOf('Environment').map((text) => [text.split('=')[0] ?? '', text.split('=')[1] ?? '']),
    );
    const [workingDirectory = ''] = settingsOf('WorkingDirectory');
    const service = await serveWith(
      t,
      inOtherRoot({ path: root, user, workingDirectory }, command.split(' ')),
      {
        env: { ...env, PATH: '/usr/bin:/bin', APP_ACCESS: 'open' },
      },
    );
    await useAndStop(service);
    assert.notDeepEqual(readdirSync(join(root, 'var/cache/postern')), [], 'it keeps compiled code');
  });

  await t.test('the documents of operations and the files that they name are examples', () => {
    const contents = run('dpkg-deb', '--contents', '/postern.deb');
    for (const name of ['docs/operations/reverse-proxy.md', 'deploy/reverse-proxy/nginx.conf']) {
      assert.ok(contents.includes(`./usr/share/doc/postern/examples/${name}\n`), name);
    }
  });

  await t.test(
    'an upgrade keeps an edited configuration without a question, and a purge keeps the data',
    () => {
      const configuration = join(root, 'etc/postern/postern.conf');
      assert.equal(statSync(configuration).mode & 0o777, 0o640);
      assert.equal(statSync(configuration).gid, user.gid);
      run('sh', '-c', 'echo "# mine" >> /etc/postern/postern.conf');
      run('sh', '-c', UPGRADE);
      assert.match(run('tail', '-n1', '/etc/postern/postern.conf'), /# mine/);
      assert.match(
        run('apt-get', 'purge', '--yes', 'postern'),
        /The data of Postern stays in \/var\/lib\/postern/,
      );
      assert.equal(statSync(join(root, 'var/lib/postern/postern.db')).uid, user.uid);
      assert.equal(existsSync(join(root, 'etc/postern')), false);
    },
  );
}
