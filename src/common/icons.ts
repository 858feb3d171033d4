// The icons of all pages, as the path data of line drawings of 24 by 24. Each is an export of its own, so that the
// bundle of a page contains only those that it shows.

/** A postern: a small door in a wall. */
export const BRAND = 'M4 20V10a8 8 0 0 1 16 0v10zM9 20v-7a3 3 0 0 1 6 0v7';
export const BAN = 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0M6.5 6.5l11 11';
export const CHART = 'M4 20h16M7 20v-6M12 20V6M17 20v-9';
export const CHECK = 'm5 12.5 4.5 4.5L19 7.5';
export const CHEVRON = 'm6 9.5 6 6 6-6';
export const CLOCK = 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0M12 7.5V12l3 2';
export const COPY =
  'M11 9h7a2 2 0 0 1 2 2v7a2 2 0 0 1 -2 2h-7a2 2 0 0 1 -2 -2v-7a2 2 0 0 1 2 -2zM15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3';
export const CROSS = 'm6 6 12 12M18 6 6 18';
export const DICE =
  'M7 4h10a3 3 0 0 1 3 3v10a3 3 0 0 1 -3 3h-10a3 3 0 0 1 -3 -3v-10a3 3 0 0 1 3 -3zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01';
export const DOWNLOAD = 'M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3';
export const EYE =
  'M3.5 12S7 6 12 6s8.5 6 8.5 6-3.5 6-8.5 6-8.5-6-8.5-6zM9.5 12a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0';
export const EYE_OFF = 'M3.5 12S7 6 12 6s8.5 6 8.5 6-3.5 6-8.5 6-8.5-6-8.5-6zM5 4.5l14 15';
export const FILE = 'M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5';
export const FILE_MISSING = 'M7 4h7l4 4v12H7zM10.5 11.5l4 4m0-4-4 4';
export const FOLDER = 'M4 18.5v-13h5.5l2 2.5H20v10.5z';
export const GLOBE =
  'M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M3.5 12h17M12 3.5c2.4 2.5 3.6 5.3 3.6 8.5s-1.2 6-3.6 8.5c-2.4-2.5-3.6-5.3-3.6-8.5S9.6 6 12 3.5';
export const INBOX =
  'M4 13h4l1.5 3h5L16 13h4M4 13v5a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5l-3-7H7zM12 3v6m0 0 2.5-2.5M12 9 9.5 6.5';
export const LINK =
  'M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.6 1.6M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.6-1.6';
export const LOCK =
  'M7 11h10a2 2 0 0 1 2 2v5a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-5a2 2 0 0 1 2 -2zM8 11V8a4 4 0 0 1 8 0v3';
export const MAIL = 'M4 6.5h16v11H4zM4.5 7l7.5 6 7.5-6';
export const MORE = 'M5.5 12h.01M12 12h.01M18.5 12h.01';
export const NOTE = 'M5 6h14M5 10.5h14M5 15h9';
export const OPEN = 'M9 5h10v10M19 5 5 19';
export const PAUSE = 'M9 6v12M15 6v12';
export const PAUSED = 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0M10 9v6m4-6v6';
export const PLAY = 'M8 5.5v13l10.5-6.5z';
export const SEARCH = 'M4.5 11a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0M20.5 20.5l-5-5';
export const SHARE =
  'M3.5 12a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M15 5.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M15 18.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M8.2 10.8l7-4M8.2 13.2l7 4';
export const SHIELD = 'm12 3.5 7 3v5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9v-5z';
export const TABLE =
  'M6 5h12a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2zM4 10h16M4 14.5h16M10 10v9';
export const UPLOAD = 'M12 15V4m0 0L7.5 8.5M12 4l4.5 4.5M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3';
export const USER = 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 20c.8-3.8 3.8-5.5 7.5-5.5s6.7 1.7 7.5 5.5';
export const WARNING = 'M12 4.5 3 20h18zM12 10.5v4m0 2.5v.1';
