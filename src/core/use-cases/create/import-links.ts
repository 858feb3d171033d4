import type { NewIdAndSalt } from '../../model/attempt.ts';
import type { Author } from '../../model/author.ts';
import type { CreationResult } from '../../model/decide-creations.ts';
import type { ImportRecord, ImportResult } from '../../model/import-record.ts';
import type { NewLink } from '../../model/link.ts';
import type { Clock, LinkStore } from '../../ports/ports.ts';
import { prepareHashPassword } from '../visit/check-password.ts';
import { type PlannedLink, type PlanOptions, preparePlanLink } from './plan-import.ts';

export type ImportRequest = Omit<PlanOptions, 'now' | 'hashPassword' | 'author'> & {
  records: readonly ImportRecord[];
  /** True: creates nothing. */
  isDryRun: boolean;
};

/** Imports links of another service, with their creation times and views. Resolves to the result of each. */
export type ImportLinks = (request: ImportRequest, author: Author) => Promise<ImportResult[]>;

type Parts = Parameters<typeof prepareHashPassword>[0] & {
  links: Pick<LinkStore, 'create' | 'find'>;
  clock: Clock;
  newIdAndSalt: NewIdAndSalt;
};

/** More passwords at once would not be hashed faster, and would fill the queue in which those of visitors wait. */
const RECORDS_AT_ONCE = 8;

export function prepareImportLinks(parts: Parts): ImportLinks {
  const { links, clock, newIdAndSalt } = parts;
  const hashPassword = prepareHashPassword(parts);

  async function create(link: NewLink, author: Author): Promise<CreationResult> {
    const at = clock();
    return links.create(link, { ...newIdAndSalt(at), author, at });
  }

  async function tryCreation({ shortCode }: NewLink): Promise<CreationResult> {
    return (await links.find(shortCode)) ? 'short-code-taken' : 'created';
  }

  async function importOne(
    plan: PlannedLink,
    { isDryRun }: ImportRequest,
    author: Author,
  ): Promise<ImportResult> {
    if (!plan.ok) return { result: 'SKIPPED', reason: plan.reason, detail: plan.detail };
    const { link, remarks } = plan;
    const targetUrl = link.target.type === 'REDIRECT' ? link.target.url : '';
    const result = await (isDryRun ? tryCreation(link) : create(link, author));
    if (result !== 'created') {
      const found = await links.find(link.shortCode);
      return describeTaken(targetUrl, found?.target.type === 'REDIRECT' ? found.target.url : null);
    }
    const { isPaused = false, viewCount: views = 0 } = link.imported ?? {};
    return { result: 'IMPORTED', targetUrl, isPaused, views, remarks };
  }

  return async (request, author) => {
    const plan = preparePlanLink({
      ...{ ...request, author, now: clock() },
      // A dry run creates nothing that could be opened.
      hashPassword: async (password) => (request.isDryRun ? '' : hashPassword(password, author)),
    });
    const planned: PlannedLink[] = [];
    for (let start = 0; start < request.records.length; start += RECORDS_AT_ONCE)
      planned.push(...(await Promise.all(request.records.slice(start, start + RECORDS_AT_ONCE).map(plan))));
    return Promise.all(planned.map((each) => importOne(each, request, author)));
  };
}

/**
 * Returns the result of a link whose code exists. With the same target it is already there: an import was repeated.
 *
 * @param takenBy the URL to which the other link leads; null for one that leads to no URL
 */
export function describeTaken(targetUrl: string, takenBy: string | null): ImportResult {
  if (targetUrl === takenBy) return { result: 'ALREADY_THERE' };
  const detail = `another link has it, which leads to ${takenBy ?? 'a file'}; create this one again with another code`;
  return { result: 'SKIPPED', reason: 'CODE_TAKEN', detail };
}
