import { lazy } from '../shell/lazy.tsx';

export const LazyOwnerDialog = lazy(async () => (await import('./holder-dialogs.tsx')).OwnerDialog);
export const LazyTeamDialog = lazy(async () => (await import('./holder-dialogs.tsx')).TeamDialog);
