import { type Static, Type } from 'typebox';
import { parseOwner } from '../../core/model/owner.ts';
import { accept } from '../../core/model/parsed.ts';
import { type SpaceUse, sumAll, sumUses } from '../../core/model/storage-quota.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { nameOwners } from '../returned-links.ts';
import { ADMIN } from '../route-access.ts';
import { Count, nullable, OwnerRecord, text, titled } from '../schemas.ts';
import { uploadOwnerOf } from './received-upload.ts';

const USED = { usedBytes: Count, fileCount: Count };
const Quota = nullable(Type.Integer({ minimum: 1 }), { description: 'Null sets no limit' });
const OwnUse = titled('OwnStorageUse', { ...USED, quotaBytes: Quota });
const StorageUse = titled('StorageUse', {
  ...USED,
  quotaBytes: Quota,
  quotaPerOwnerBytes: Quota,
  owners: Type.Array(titled('OwnerStorageUse', { owner: OwnerRecord, ...USED })),
  teams: Type.Array(titled('TeamStorageUse', { team: text('The name of the team'), ...USED })),
});
export type StorageUseRecord = Static<typeof StorageUse>;

const COUNTED =
  'Files of links count until they are erased, and uploads from their beginning on. What arrives with a file request ' +
  'counts for the owner of the request.';

/** The endpoints of the space that stored files take. */
export function storageUseEndpoints(deps: HttpDependencies): Endpoint[] {
  const { config, stores } = deps;
  const { totalBytes, perOwnerBytes } = config.uploads.quota;
  return [
    endpoint('GET /api/stats/storage', 'The space that stored files take, by owner and by team', {
      ...{ ...ADMIN, tag: 'Statistics' },
      description: `${COUNTED} The largest use comes first.`,
      sends: StorageUse,
      run: async () => {
        const uses = await stores.readSpace(null);
        const owners = sumUses(uses, 'owner').map(({ name, ...use }) => ({
          owner: parseOwner(name),
          ...use,
        }));
        return accept({ uses, owners: await nameOwners(deps, owners) });
      },
      show: ({ uses, owners }) => ({
        ...{ ...sumAll(uses), quotaBytes: totalBytes, quotaPerOwnerBytes: perOwnerBytes },
        owners,
        teams: sumUses(uses, 'team').map(({ name, ...use }) => ({ team: name, ...use })),
      }),
    }),
    endpoint('GET /api/stats/storage/mine', 'The space that the files of the caller take', {
      ...{ tag: 'Statistics', needs: 'create', description: COUNTED, sends: OwnUse },
      run: async ({ request }) => accept(await stores.readSpace(uploadOwnerOf(request))),
      show: (uses: SpaceUse[]) => ({ ...sumAll(uses), quotaBytes: perOwnerBytes }),
    }),
  ];
}
