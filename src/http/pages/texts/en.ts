import type { Texts } from './texts.ts';

export const en: Texts = {
  notices: {
    NOT_FOUND: {
      title: 'There is no such link',
      text: 'Check that the address is complete, upper and lower case too, or ask whoever gave it to you.',
    },
    FILE_NOT_FOUND: {
      title: 'The file is missing',
      text: 'The link is right, but its file is not there. No view was counted. Please tell whoever gave it to you.',
    },
    REVOKED: {
      title: 'This link was withdrawn',
      text: 'Whoever made it has taken it back. They can make you a new one.',
    },
    EXPIRED: {
      title: 'This link has expired',
      text: 'Its time is over. Whoever gave it to you can make a new one.',
    },
    VIEW_LIMIT_REACHED: {
      title: 'This link is used up',
      text: 'It could be opened a limited number of times, and none is left. Whoever gave it to you can make a new one.',
    },
    UNEXPECTED_STATE: {
      title: 'This link is not active',
      text: 'It cannot be opened any more. Whoever gave it to you can make a new one.',
    },
    FAULT: {
      title: 'Something went wrong on our side',
      text: 'The link could not be opened. Please try again in a moment.',
    },
    CROSS_SITE: {
      title: 'Another site tried to open this link',
      text: 'To be safe, it was not opened, and no view was counted. You can open it yourself.',
    },
    FORM: {
      title: 'This could not be read',
      text: 'What was sent is not what the page sends. Please go back and try again.',
    },
  },
  redirect: {
    title: 'You are about to open a link',
    text: 'It leads to another page.',
    open: 'Open the link',
  },
  download: {
    title: 'A file is waiting for you',
    text: 'It is downloaded as soon as you press the button.',
    open: 'Download the file',
    started: 'The download has started.',
  },
  viewsLeft: { one: '{count} view left', other: '{count} views left' },
  expires: 'Expires on {time}',
  countsAsView: 'Opening it counts as one view.',
  password: {
    title: 'This link has a password',
    text: 'Enter the one that you were given with it.',
    field: 'Password',
    show: 'Show the password',
    open: 'Open',
    missing: 'Enter the password.',
    wrong: 'That is not the password. Check upper and lower case, and try again.',
  },
  preview: { title: 'A link for you', text: 'Open it to see what it is.' },
  openHere: 'Open the link',
  reference: 'If it happens again, tell this reference to whoever runs the service:',
};
