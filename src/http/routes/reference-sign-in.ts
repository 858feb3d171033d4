/**
 * What these functions use of a browser. Their source is sent to the reference page, so they use nothing else, and
 * nothing of this module.
 */
type BrowserGlobals = {
  sessionStorage: { getItem(name: string): string | null };
  location: { pathname: string };
  document: {
    getElementById(id: string): { hidden: boolean } | null;
    createElement(name: string): {
      id: string;
      href: string;
      textContent: string;
      style: { cssText: string };
    };
    body: { prepend(element: unknown): void };
  };
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

/** Offers the sign-in above the page after a response that asks for it; in its place if that is its document. */
export function offerSignIn(response: PageResponse): PageResponse {
  const { document, location } = globalThis as unknown as BrowserGlobals; // the types of Node have no such globals
  if (response.status !== 401 || document.getElementById('sign-in') !== null) return response;
  const link = document.createElement('a');
  link.id = 'sign-in';
  link.href = `${location.pathname.replace(/\/docs\/?$/, '')}/sign-in?to=docs`;
  link.textContent = 'Sign in to see the API reference and to try requests';
  link.style.cssText = 'display:block;padding:1rem;font:bold 1rem sans-serif;text-align:center';
  document.body.prepend(link);
  const page = document.getElementById('swagger-ui');
  if (page !== null && /\/docs\/json$/.test(response.url ?? '')) page.hidden = true;
  return response;
}
