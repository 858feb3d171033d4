/** Reads what the service put into the document, which is there before the settings. */
function readMeta(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
}

/** Returns the name of the service, which the administrator can set. */
export function brandName(): string {
  return readMeta('application-name') ?? 'Postern';
}

/** Returns the path of the brand's logo, if there is one. */
export function brandLogo(): string | undefined {
  return readMeta('brand-logo');
}
