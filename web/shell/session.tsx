import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { loadKey, onCredentialRefusal, saveKey } from '../service/api-key.ts';
import { forgetUser, getItem, SIGN_OUT, setItem, setUser } from '../service/browser-storage.ts';
import type { Caller, Scope, ServedPage, Settings } from '../service/contract.ts';
import { leaveForCheck, returnFromCheck } from '../service/provider-check.ts';
import { fetchSettings, send } from '../service/requests.ts';

/**
 * `READY`: the page can send requests. `SIGNED_OUT`: the user must sign in first. `ENDED`: the user must sign in
 * again, because the key or the session has ended.
 */
type State = 'LOADING' | 'READY' | 'SIGNED_OUT' | 'ENDED';

/** The user of the page, with the settings of the service. */
type Session = {
  state: State;
  isReady: boolean;
  /** Null until they are loaded, and where they cannot be. */
  settings: Settings | null;
  caller: Caller | null;
  /** False in the mode `keys` for a scope that the user lacks. */
  may(scope: Scope): boolean;
  /** True where the port of this page serves the other page, and while that is not known. */
  serves(page: ServedPage): boolean;
  /** Applies the key that is stored now. */
  reload(): Promise<void>;
  signOut(): Promise<void>;
};

const Context = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('There is no SessionProvider around this component');
  return session;
}

type Props = {
  /** False for a page that is ready without a sign-in, because not only a key gives access to it. */
  signInFirst: boolean;
  children: ComponentChildren;
};

/** Loads the session, and loads it again when a request is refused for its credentials. */
export function SessionProvider({ signInFirst, children }: Props) {
  const { state, settings, reload, signOut } = useLoadedSession();
  const isReady = state === 'READY' || (!signInFirst && state !== 'LOADING');
  const signedIn = settings?.access.caller ?? null;
  const may = (scope: Scope): boolean =>
    settings?.access.mode !== 'keys' || (signedIn?.scopes.includes(scope) ?? false);
  const serves = (page: ServedPage): boolean => settings?.pages.includes(page) ?? true;
  const caller = state === 'READY' ? signedIn : null;
  return (
    <Context.Provider value={{ state, isReady, settings, caller, may, serves, reload, signOut }}>
      {children}
    </Context.Provider>
  );
}

/** The session of the page as it is shown. */
type Shown = { user: string; hasSession: boolean; credentials: string };

function useLoadedSession() {
  const [{ state, settings }, setLoaded] = useState(LOADING);
  const latest = useRef(0);
  const shown = useRef<Shown>({ user: '', hasSession: false, credentials: '' });

  async function reload(): Promise<void> {
    latest.current += 1;
    const current = latest.current;
    const loaded = await loadSession();
    // Only at first, so that nothing is lost that the user has entered.
    if (current === 1 && isMoving(loaded)) return;
    if (current !== latest.current) return;
    if (loaded.state === 'READY') {
      const { owner, hasSession = false } = loaded.settings?.access.caller ?? {};
      const user = owner ? `${owner.kind}:${owner.name}` : '';
      // What one person has entered is not for the next one. A key may replace another one.
      if (user !== '' && user !== shown.current.user && shown.current.user.startsWith('USER')) return renew();
      setUser(user);
      shown.current = { user, hasSession, credentials: readCredentials() };
    }
    setLoaded((former) => next(former, loaded));
  }
  /** Loads the page anew, so that nothing stays in the memory of its scripts. */
  async function renew(): Promise<void> {
    setLoaded(LOADING);
    await Promise.resolve(); // the page and its warnings are gone
    location.reload();
  }
  async function signOut(): Promise<void> {
    const hasSession = settings?.access.caller?.hasSession;
    forgetUser();
    setLoaded(LOADING);
    if (hasSession) {
      await send('api/sessions/current', null, { method: 'DELETE', keepalive: true });
      setItem(SIGN_OUT, String(Date.now()));
    }
    await renew();
  }
  useEffect(() => {
    void reload();
    return onSessionChange(() => shown.current, { reload, renew });
  }, []);
  return { state, settings, reload, signOut };
}

type Reactions = { reload(): Promise<void>; renew(): Promise<void> };

/** Reacts to what ends or replaces the session outside this page. Returns a function that stops that. */
function onSessionChange(shown: () => Shown, { reload, renew }: Reactions): () => void {
  const stopListening = onCredentialRefusal(() => void reload());
  // The browser shows a page again that it had set aside, perhaps before a sign-out.
  const checkIfShownAgain = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) void (shown().credentials === readCredentials() ? reload() : renew());
  };
  // Another tab has ended the session.
  const checkSignOut = ({ key }: StorageEvent): void => {
    if (key !== SIGN_OUT || !shown().hasSession) return;
    forgetUser();
    void renew();
  };
  const listening = new AbortController();
  addEventListener('pageshow', checkIfShownAgain, listening);
  addEventListener('storage', checkSignOut, listening);
  return () => {
    stopListening();
    listening.abort();
  };
}

/** Returns what changes when the user signs out in another page: the key of the tab, or the mark of the last sign-out. */
const readCredentials = (): string => `${loadKey()} ${getItem(SIGN_OUT)}`;

type Loaded = { state: State; settings: Settings | null };
const LOADING: Loaded = { state: 'LOADING', settings: null };

/** Sends the browser to the provider where the session needs that, and back to the page that it left for it. */
function isMoving({ settings }: Loaded): boolean {
  const { caller, checksAtProvider = false } = settings?.access ?? {};
  if (caller?.hasSession) return returnFromCheck();
  return checksAtProvider && leaveForCheck();
}

/** Loads the settings with the key of this tab, and deletes a key that does not work. */
async function loadSession(): Promise<Loaded> {
  const key = loadKey();
  const outcome = await fetchSettings(key);
  if (outcome.kind === 'DONE') {
    const { mode, caller } = outcome.value.access;
    return { state: mode === 'keys' && !caller ? 'SIGNED_OUT' : 'READY', settings: outcome.value };
  }
  const isWrongKey = key !== null && outcome.kind === 'REFUSED' && outcome.status === 401;
  // Without settings the page goes on: its own requests show what is wrong.
  if (!isWrongKey) return { state: 'READY', settings: null };
  if (key === loadKey()) saveKey(null);
  const loaded = await loadSession();
  return loaded.state === 'SIGNED_OUT' ? { ...loaded, state: 'ENDED' } : loaded;
}

/** Returns the next session. After an end that the user did not choose, the hidden page stays as it was. */
function next(former: Loaded, loaded: Loaded): Loaded {
  const wasReady = former.state === 'READY' || former.state === 'ENDED';
  return loaded.state === 'READY' || !wasReady ? loaded : { state: 'ENDED', settings: former.settings };
}
