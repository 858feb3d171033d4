import type { I18n } from '../i18n/i18n.tsx';
import { describeLink } from '../service/links.ts';
import { nameOfLink } from '../shell/link-facts.ts';

/** Reads what lists of links call the files of these links, by short code. Others are left out. */
export async function readFileNames(
  shortCodes: readonly string[],
  i18n: I18n,
): Promise<ReadonlyMap<string, string>> {
  const described = await Promise.all(shortCodes.map((shortCode) => describeLink({ shortCode })));
  return new Map(
    described.flatMap((outcome) =>
      outcome.kind === 'DONE' && outcome.value.file
        ? [[outcome.value.shortCode, nameOfLink(outcome.value, i18n)] as const]
        : [],
    ),
  );
}
