import { LINK } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkReference } from '../service/links.ts';
import { lazy } from '../shell/lazy.tsx';
import { LoadProblem } from '../shell/load-problem.tsx';
import { Missing } from '../shell/missing.tsx';
import type { Failure } from '../shell/use-pages.ts';
import type { LinkAccess } from './link-access.tsx';

/** Most visitors of the page have access. */
const LazyLinkAccess = lazy<Parameters<typeof LinkAccess>[0]>(
  async () => (await import('./link-access.tsx')).LinkAccess,
);

export type Access = { link: LinkReference; onAccess(token: string | undefined): void };

const statusOf = (failure: Failure): number | undefined =>
  failure.kind === 'REFUSED' ? failure.status : undefined;

/** Returns true if nothing of the link may be shown: its credentials do not suffice, or it does not exist. */
export function isWithheld(failure: Failure): boolean {
  return [401, 403, 404].includes(statusOf(failure) ?? 0);
}

type Props = Access & { failure: Failure; onRetry(): void };

/** The reason why a link cannot be shown, and what to do about it. */
export function LinkProblem({ link, onAccess, failure, onRetry }: Props) {
  const { t } = useI18n();
  if (!isWithheld(failure)) return <LoadProblem failure={failure} onRetry={onRetry} />;
  const status = statusOf(failure);
  if (status === 404) return <Missing icon={LINK} title={t('status.unknown')} text={t('link.unknown')} />;
  return <LazyLinkAccess link={link} isInsufficient={status === 403} onAccess={onAccess} />;
}
