import type { Html } from './page.ts';

/** Line drawings of 24 by 24 that say again what stands beside them. */
const DRAWINGS = {
  link: '<path d="M9 5h10v10M19 5 5 19"/>',
  file: '<path d="M12 4v11m-5-5 5 5 5-5M5 20h14"/>',
  lock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  unknown: '<circle cx="11" cy="11" r="6.5"/><path d="m20.5 20.5-5-5"/>',
  missing: '<path d="M7 4h7l4 4v12H7zM10.5 11.5l4 4m0-4-4 4"/>',
  withdrawn: '<circle cx="12" cy="12" r="8"/><path d="m6.5 6.5 11 11"/>',
  clock: '<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>',
  spent: '<path d="M3.5 12S7 6 12 6s8.5 6 8.5 6-3.5 6-8.5 6-8.5-6-8.5-6zM5 4.5l14 15"/>',
  paused: '<circle cx="12" cy="12" r="8"/><path d="M10 9v6m4-6v6"/>',
  shield: '<path d="m12 3.5 7 3v5c0 4.5-3 7.500-7 9-4-1.5-7-4.5-7-9v-5z"/>',
  fault: '<path d="M12 4.5 3 20h18zM12 10.5v4m0 2.5v.1"/>',
};
export type Icon = keyof typeof DRAWINGS;

export function icon(name: Icon): Html {
  return drawing(DRAWINGS[name]);
}

/** A postern: a small door in a wall. */
const DOOR = '<path d="M4 20V10a8 8 0 0 1 16 0v10zM9 20v-7a3 3 0 0 1 6 0v7"/>';

export const MARK: Html = drawing(DOOR);

/** The same as the page's own icon, which has no colours but those that it brings along. */
export const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#b4622f" stroke-width="2.5">${DOOR}</svg>`,
)}`;

function drawing(paths: string): Html {
  return { markup: `<svg viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>` };
}
