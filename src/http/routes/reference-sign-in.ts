/**
 * The globals of a browser that these functions use. Their source is sent to the reference page, so they use nothing
 * else, and nothing of this module.
 */
type BrowserGlobals = {
  sessionStorage: { getItem(name: string): string | null };
  location: { pathname: string };
  document: {
    getElementById(id: string): (PageElement & { hidden: boolean }) | null;
    querySelector(selector: 'header'): PageElement | null;
    createElement(name: string): PageElement & { id: string; href: string; textContent: string };
  };
};
type PageElement = {
  style: { cssText: string };
  append(element: PageElement): void;
  before(element: PageElement): void;
};

type PageRequest = { headers?: Record<string, string> };
type PageResponse = { status?: number; url?: string };

/** Sends the key that the sign-in of the pages keeps for this tab. */
export function sendKeyOfTab(request: PageRequest): PageRequest {
  const { sessionStorage } = globalThis as unknown as BrowserGlobals; // the types of Node have no such globals
  const key = sessionStorage.getItem('postern.key');
  if (key !== null) request.headers = { ...request.headers, Authorization: `Bearer ${key}` };
  return request;
}

/** Offers the sign-in in the header after a response that asks for it; as the only content if that is its document. */
export function offerSignIn(response: PageResponse): PageResponse {
  const { document, location } = globalThis as unknown as BrowserGlobals; // the types of Node have no such globals
  if (response.status !== 401 || document.getElementById('sign-in') !== null) return response;
  const link = document.createElement('a');
  link.id = 'sign-in';
  link.href = `${location.pathname.replace(/\/docs\/?$/, '')}/sign-in?to=docs`;
  link.textContent = 'Sign in to see the API reference and to try requests';
  link.style.cssText = 'display:block;padding:1rem;font:bold 1rem sans-serif;text-align:center';
  const viewer = document.getElementById('swagger-ui');
  if (viewer !== null && /\/docs\/json$/.test(response.url ?? '')) {
    const [main, heading] = [document.createElement('main'), document.createElement('h1')];
    heading.append(link);
    main.append(heading);
    viewer.before(main);
    viewer.hidden = true;
  } else {
    document.querySelector('header')?.append(link);
  }
  return response;
}
