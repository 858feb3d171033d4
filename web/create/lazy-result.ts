import { lazy } from '../shell/lazy.tsx';

const load = async () => (await import('./result.tsx')).Result;

/** A link just created. */
export const Result = lazy(load);

/** Loads what shows a link before there is one: a line that breaks meanwhile could not. */
export const preloadResult = (): void => void load().catch(() => undefined);
