import { lazy } from './lazy.tsx';
import type { SignIn } from './sign-in.tsx';

/** Most loads of a page are signed in, and need no form. */
export const LazySignIn = lazy<Parameters<typeof SignIn>[0]>(
  async () => (await import('./sign-in.tsx')).SignIn,
);
