import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashHex } from '../../src/core/model/ed25519.ts';
import {
  consistencyRanges,
  hashRanges,
  inclusionRanges,
  isConsistent,
  type ReadTile,
  rootOfInclusion,
  toLeafHash,
  toRoot,
} from '../../src/core/model/merkle-tree.ts';

/** The test vectors of the tree that Certificate Transparency's programs share. */
const DATA = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const leavesOf = (size: number): string[] =>
  Array.from({ length: size }, (_, index) => toLeafHash(hashHex, index.toString(16).padStart(64, '0')));

/** Returns the tiles of a tree, as a store has them. */
function readTilesOf(leaves: readonly string[]): ReadTile {
  const levels = [leaves];
  for (let below = leaves; below.length >= 256; below = levels.at(-1) ?? [])
    levels.push(
      Array.from({ length: Math.floor(below.length / 256) }, (_, tile) =>
        toRoot(hashHex, below.slice(tile * 256, (tile + 1) * 256)),
      ),
    );
  return async (level, index) => (levels[level] ?? []).slice(index * 256, (index + 1) * 256);
}

/** The sizes at which trees, tiles and tiles of tiles begin and end. */
const SIZES = [1, 2, 3, 7, 8, 255, 256, 257, 511, 700, 1024, 65_536, 65_537, 66_000];

describe('the Merkle tree of RFC 6962', () => {
  test('the roots are those of the published vectors', () => {
    const leaves = DATA.map((data) => toLeafHash(hashHex, data));
    for (const [size, root] of ROOTS.entries()) assert.equal(toRoot(hashHex, leaves.slice(0, size)), root);
  });

  test('a proof from tiles leads from each leaf to the root, and to no other root', async () => {
    const all = leavesOf(Math.max(...SIZES));
    for (const size of SIZES) {
      const leaves = all.slice(0, size);
      const root = toRoot(hashHex, leaves);
      for (const index of new Set([0, 1, 254, 255, 256, size >> 1, size - 1].filter((each) => each < size))) {
        const proof = await hashRanges(hashHex, readTilesOf(leaves), inclusionRanges(index, size));
        const leaf = { index, hash: leaves[index] ?? '' };
        assert.equal(rootOfInclusion(hashHex, leaf, size, proof), root, `${index} of ${size}`);
        assert.notEqual(rootOfInclusion(hashHex, { index, hash: '00'.repeat(32) }, size, proof), root);
        assert.equal(rootOfInclusion(hashHex, leaf, size, [...proof, root]), undefined);
        assert.equal(rootOfInclusion(hashHex, { ...leaf, index: size }, size, proof), undefined);
      }
    }
  });

  test('a proof from tiles shows that a tree begins with a smaller one, and with no other', async () => {
    const all = leavesOf(Math.max(...SIZES));
    const roots = new Map([0, ...SIZES].map((size) => [size, toRoot(hashHex, all.slice(0, size))]));
    const headOf = (size: number) => ({ size, root: roots.get(size) ?? '' });
    for (const to of SIZES) {
      const tiles = readTilesOf(all.slice(0, to));
      for (const from of [0, ...SIZES].filter((size) => size <= to)) {
        const proof = await hashRanges(hashHex, tiles, consistencyRanges(from, to));
        const heads = { from: headOf(from), to: headOf(to) };
        assert.ok(isConsistent(hashHex, heads, proof), `${from} to ${to}`);
        const other = { ...heads, from: { size: from, root: '11'.repeat(32) } };
        assert.ok(!isConsistent(hashHex, other, proof), `${from} to ${to}, other root`);
        assert.ok(!isConsistent(hashHex, { from: heads.to, to: heads.from }, proof) || from === to);
        assert.ok(!isConsistent(hashHex, heads, [...proof, '00'.repeat(32)]), `${from} to ${to}, longer`);
      }
    }
  });

  test('a proof from a tree without one of its tiles fails', async () => {
    const readNone: ReadTile = async () => [];
    await assert.rejects(hashRanges(hashHex, readNone, inclusionRanges(0, 2)), { name: 'MissingHashes' });
  });
});
