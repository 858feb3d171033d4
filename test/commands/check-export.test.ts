import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import {
  CHANGED_EXPORTS,
  CREATED,
  DENIED,
  ERASED,
  HEAD,
  OPENED,
  PREVIEW,
  REVOKED,
  withLine,
  without,
} from '../support/changed-exports.ts';
import { FILE_SHA256, makeExport, PARTS, toNdjson } from '../support/exported-history.ts';
import { seededInt } from '../support/random.ts';

/** Sends a text as chunks of some bytes, as a file or a pipe does. */
async function* chunksOf(text: string | Uint8Array, chunkBytes = 64): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes);
}

async function check(text: string | Uint8Array, knownFingerprint: string | null = null) {
  const { findings, proved, reason } = await checkExport(chunksOf(text), knownFingerprint);
  return { findings: findings.shown.join('\n'), proved: proved.join('\n'), reason };
}

describe('the check of an export', () => {
  test('the check confirms a whole history, in chunks of any size', async () => {
    const text = toNdjson(makeExport().lines);
    for (const chunkBytes of [1, 7, 65_536]) {
      const { findings, proved } = await checkExport(chunksOf(text, chunkBytes), null);
      assert.deepEqual(findings.shown, []);
      assert.match(
        proved.join('\n'),
        /link L0000001: 6 entries, complete and unchanged\.\n.*entry 6 is \w{64}\.\nAnyone/,
      );
    }
  });

  test('the check confirms a history whose lines are in another order, with other line ends and sorted otherwise', async () => {
    const [head, ...items] = makeExport().lines;
    const reversed = items.map((item) => Object.fromEntries(Object.entries(item).toReversed()));
    const text = toNdjson([head, ...reversed.toReversed()]).replaceAll('\n', '\r\n\r\n');
    assert.equal((await check(text)).findings, '');
  });

  test('the check confirms a history without the personal fields that were erased, and counts them', async () => {
    const { findings, proved } = await check(toNdjson(ERASED.lines), ERASED.heads[2]?.fingerprint);
    assert.equal(findings, '');
    assert.match(proved, /6 entries, complete and unchanged\.\n.*\n2 entries are without personal fields/);
    assert.doesNotMatch((await check(toNdjson(makeExport().lines))).proved, /personal/);
  });

  for (const [what, lines, expected] of CHANGED_EXPORTS) {
    test(`the check finds ${what}`, async () => {
      assert.match((await check(toNdjson(lines))).findings, expected);
    });
  }

  test('a changed line is reported alone: its entries are neither missing nor does another fingerprint follow', async () => {
    const known = makeExport().heads[6]?.fingerprint ?? null;
    const text = toNdjson(makeExport().lines);
    for (const changed of [
      toNdjson(withLine(DENIED, { at: '2026-06-15T23:53:00.001Z' })),
      toNdjson(withLine(OPENED, { note: 'x' })), // with the end of a download, which is an entry, too
      toNdjson(withLine(REVOKED, { kind: 'VIEW' })),
      text.replace('"kind":"CREATED"', '"kind":CREATED"'),
    ]) {
      const { findings } = await check(changed, known);
      assert.match(findings, /^line \d [^\n]*$/, 'one finding');
    }
    const both = withLine(DENIED, { note: 'x' }).filter((_, index) => index !== PREVIEW);
    assert.match(
      (await check(toNdjson(both))).findings,
      /^line 3 has .*\nline \d: entry 4 is missing[^\n]*$/,
    );
  });

  test('the check finds each changed character except those of the time of the export', async () => {
    const random = seededInt(20_261_122);
    for (let tries = 0; tries < 300; tries++) {
      const { lines } = tries % 2 === 0 ? makeExport() : ERASED;
      const text = toNdjson(lines);
      const time = text.indexOf(String(lines[HEAD]?.['at']));
      const position = random(text.length);
      const replacement = text[random(text.length)] ?? '';
      const changed = text.slice(0, position) + replacement + text.slice(position + 1);
      if (changed === text || (position >= time && position < time + 24)) continue;
      const { findings } = await check(changed);
      assert.notEqual(findings, '', `${changed.slice(position - 20, position + 20)} at ${position}`);
    }
  });

  test('the check names a line that is cut off, not JSON, not UTF-8 or too long', async () => {
    const text = toNdjson(makeExport().lines);
    assert.match(
      (await check(text.slice(0, -20))).findings,
      /^line 6 stops in the middle: the export was cut off/,
    );
    assert.match((await check(text.replace('},', '},}'))).findings, /^line \d is not JSON: it was changed/);
    assert.match((await check(Buffer.from([0xff, 0xfe, 0x7b]))).findings, /^line 1 is not text in UTF-8/);
    const { findings } = await checkExport(chunksOf('x'.repeat(70_000_000), 65_536), null);
    assert.match(findings.shown.join(), /^line 1 has more than 67,108,864 bytes/);
    assert.match(
      (await check('id,at,kind\n')).findings,
      /^line 1 is not JSON: it is not the first line of an/,
    );
  });

  test('the check confirms an attempt whose visitor repeated the download 60,000 times', async () => {
    const { findings, proved } = await check(toNdjson(makeExport({ endCount: 60_000 }).lines));
    assert.equal(findings, '');
    assert.match(proved, /60,005 entries, complete and unchanged/);
  });

  test('a file that is no export is not called a changed one, nor a filtered export', async () => {
    const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n', 'latin1');
    const others = [
      Buffer.from('PK\x03\x04\x14\x00\xff\xfe\n\xff', 'latin1'),
      ...[pdf, 'seq\tcode\n', '', '{\n', '[]', 'x'.repeat(2_000_000), Buffer.from([0xff, 0xfe, 0x7b])],
    ];
    for (const bytes of others) {
      const { findings, reason } = await check(bytes);
      assert.match(findings, /^(line 1 |the export is empty).*: it is not the first line of an/);
      assert.equal(reason, 'notExported');
    }
    const text = toNdjson(makeExport().lines);
    const unreadable = await check(Buffer.concat([Buffer.from(text), Buffer.from([0xff, 10])]));
    assert.match(unreadable.findings, /^line 7 is not text in UTF-8: an exported history has no such line/);
    assert.equal(unreadable.reason, undefined);
    assert.equal((await check(toNdjson(makeExport({ filtered: true }).lines))).reason, 'unchecked');
    assert.equal((await check(toNdjson(withLine(DENIED, { format: 2 })))).reason, 'unchecked');
    assert.equal((await check(text)).reason, undefined);
  });

  test('the check lists what a filtered export lacks, and checks the rest', async () => {
    const { lines } = makeExport({ filtered: true });
    const { findings } = await check(
      toNdjson(lines.filter((_, index) => index !== DENIED && index !== REVOKED)),
    );
    assert.match(
      findings,
      /^the export was filtered, .* lacks the entries 3, 6; export the history without a filter$/,
    );
    assert.match(
      (await check(toNdjson([...lines, lines[DENIED]]))).findings,
      /line 7: entry 3 is there twice/,
    );
  });

  test('the check finds appended entries: the service cuts an export at the end that its first line counts', async () => {
    const { lines, heads } = makeExport();
    const head = { ...lines[HEAD], entryCount: 4, fingerprint: heads[4]?.fingerprint };
    const { findings } = await check(toNdjson([head, ...lines.slice(1)]));
    assert.match(findings, /^entries 5 to 6 are newer than the last that line 1 counts \(4\): appended/);
  });

  test('the check compares a file with that of the link', async () => {
    const { lines } = makeExport();
    const compare = async (sha256: string, exported = lines) => {
      const { findings, proved } = await checkExport(chunksOf(toNdjson(exported)), null, {
        path: 'a.pdf',
        sha256,
      });
      return [findings.shown, proved.at(-1)];
    };
    const proof = `a.pdf is the file of the link: both have the SHA-256 ${FILE_SHA256}.`;
    assert.deepEqual(await compare(FILE_SHA256), [[], proof]);
    const other = hash('sha256', 'another file');
    const different = `a.pdf has the SHA-256 ${other}, but the file of the link has ${FILE_SHA256}: it is another file`;
    assert.deepEqual((await compare(other))[0], [different]);
    const [withoutCreation] = await compare(FILE_SHA256, without(CREATED));
    assert.match(String(withoutCreation), /a\.pdf cannot be compared: no entry has the SHA-256 of a file/);
  });

  test('the check proves the files of a link with several, and compares each of them', async () => {
    const { lines } = makeExport({ parts: PARTS });
    const compare = async (path: string, sha256: string, exported: readonly unknown[] = lines) => {
      const { findings, proved } = await checkExport(chunksOf(toNdjson(exported)), null, { path, sha256 });
      return [...findings.shown, ...proved].join('\n');
    };
    const [lease, plan] = PARTS.map(({ sha256 }) => sha256);
    const result = await compare('scan.pdf', lease ?? '');
    assert.match(result, new RegExp(`the history has:\n  ${lease}  lease.pdf\n  ${plan}  plan.pdf\n`));
    assert.match(result, /scan\.pdf is lease\.pdf, one of the files of the link/);
    const other = hash('sha256', 'another file');
    assert.match(
      await compare('a.pdf', other),
      /^a\.pdf has the SHA-256 .* none of the 2 files of the link has it/,
    );
    assert.match(await compare('all.ZIP', other), /all\.ZIP is not compared: .* unpack it/);
    const [head, ...items] = lines;
    const { files: listed, ...bare } = Object(head);
    assert.match(await compare('a.pdf', other, [bare, ...items]), /a\.pdf is not compared: .* does not list/);
    for (const change of [{ name: 'other.pdf' }, { sha256: other }, { sizeBytes: 1 }, { crc32: 7 }]) {
      const changed = [{ ...bare, files: [{ ...listed[0], ...change }, listed[1]] }, ...items];
      assert.match(await compare('a.pdf', other, changed), /^line 1 has another list of files than the link/);
    }
    const archive = makeExport({
      parts: [...PARTS, { fileName: 'data.zip', sizeBytes: 9, sha256: FILE_SHA256, crc32: 9 }],
    });
    assert.match(await compare('data.zip', other, archive.lines), /it is another file/);
    const control = [{ ...bare, files: [{ ...listed[0], name: 'a\nb' }] }, ...items];
    assert.match(
      await compare('a.pdf', other, control),
      /^line 1 has the member files\.0\.name, which must match/,
    );
    const added = [{ ...Object(makeExport().lines[HEAD]), files: listed }, ...makeExport().lines.slice(1)];
    assert.match(await compare('a.pdf', FILE_SHA256, added), /^line 1 has another list of files/);
  });

  test('the check finds a member that is there twice', async () => {
    const text = toNdjson(makeExport().lines);
    for (const doubled of ['"ipAddress":"192.0.2.1",', '"entryCount":6,']) {
      const other = doubled.replace(/192.0.2.1|6/, '7');
      const { findings } = await check(text.replace(doubled, other + doubled));
      assert.match(findings, /^line \d is not as the service writes it, for example has a member twice/);
    }
  });
});

describe('a known fingerprint', () => {
  test('a known fingerprint confirms a history up to its entry', async () => {
    const { lines, heads } = makeExport();
    for (const [number, { fingerprint }] of heads.entries()) {
      if (number === 0) continue;
      const { findings, proved } = await check(toNdjson(lines), fingerprint);
      assert.equal(findings, '');
      const entries = number === 1 ? 'entry 1 is' : `entries 1 to ${number} are`;
      assert.match(
        proved,
        new RegExp(`is that of entry ${number}, of 2026-06-1\\dT.*Z: ${entries} unchanged since`),
      );
    }
  });

  test('a known fingerprint reveals a history that was rewritten as a whole', async () => {
    const knownFingerprint = 'ab'.repeat(32);
    const { findings } = await check(toNdjson(makeExport().lines), knownFingerprint);
    assert.match(
      findings,
      /^no entry has the fingerprint (ab){32}: it is newer .* or the history was rewritten since/,
    );
  });

  test('a knownFingerprint shows up to which entry a changed history is unchanged', async () => {
    const { heads } = makeExport();
    const changed = toNdjson(withLine(PREVIEW, { ipAddress: '192.0.2.7' }));
    const { findings } = await check(changed, heads[3]?.fingerprint);
    assert.match(findings, /is that of entry 3, of .*: entries 1 to 3 are unchanged since you got it$/);
    assert.match((await check(changed, heads[4]?.fingerprint)).findings, /no entry has the fingerprint/);
  });

  test('a knownFingerprint confirms the beginning of a filtered export', async () => {
    const { lines, heads } = makeExport({ filtered: true });
    const { findings } = await check(toNdjson(lines), heads[3]?.fingerprint);
    assert.match(findings, /is that of entry 3, of /);
  });
});
