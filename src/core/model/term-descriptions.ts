import type { TermName } from './terms.ts';

/**
 * What the API and the command line say of the terms of a link. `details`: for the API alone, after the rest; `ifAbsent`: of a
 * creation alone. `shown`: of a description, instead of all. They are apart from the table, because browsers load that.
 */
export const TERM_DESCRIPTIONS: Readonly<
  Record<TermName, { about: string; details?: string; ifAbsent?: string; shown?: string }>
> = {
  expiresAt: {
    about: 'The link ends then',
    details: 'ISO 8601 with a timezone offset, in the future',
    ifAbsent:
      'Without it `links.defaultTtl` of the settings applies; null there means that the link does not expire',
    shown: 'In UTC (after the year 9999 with an offset that keeps four digits); null without an expiry',
  },
  maxViews: {
    about: 'How many times the link can be opened',
    ifAbsent: 'Without it `links.maxViews` of the settings applies; null there sets no limit',
  },
  password: {
    about: 'Required to open the link',
    details: 'Stored only as a hash',
    ifAbsent: 'An empty one counts as absent',
  },
  startsAt: {
    about: 'The link opens from then on',
    details: 'ISO 8601 with a timezone offset, before expiresAt',
    shown: 'From when on the link opens; null: from its creation on',
  },
  customCode: {
    about: 'The short code, instead of a random one; it can be guessed',
    details: 'Protect what is confidential with a password',
  },
  team: {
    about: 'The team that the link is shared with, which reads and changes it',
    details: 'One of yours, or any with the scope `manage`',
  },
  label: { about: 'A name for the link, for those who manage it' },
  recipient: { about: 'The person to whom the link is given' },
  tags: { about: 'Words by which the link is found', details: 'Without commas' },
  note: { about: 'Anything to remember about the link', details: 'It may have several lines' },
  host: {
    about: 'The host name of its address, if the service has several',
    details: 'One of `links.hosts` in the settings. The link opens under each',
    ifAbsent: 'Without it that of app.base-url',
  },
  senderName: {
    about: 'The name of the sender, which visitors read in a browser before they open the link',
    details:
      'Beside it they read to whose account the link belongs, or that the name has not been verified. It is not shown before ' +
      'the right password, unless `shownBeforePassword` is true',
  },
  message: {
    about: 'A text for visitors, who read it in a browser before they open the link',
    details: 'It may have several lines, and is shown like `senderName`. A file request has its own',
  },
  shownBeforePassword: {
    about: 'Shows the name of the sender and the message on the page that asks for the password, too',
  },
  verifiedRecipients: {
    about:
      'The mail addresses of those who may open the link: each proves theirs with a code that is mailed to it',
    details:
      'After the password. Up to 50; the service must be able to send mail, and asks for the scope `create`, unless ' +
      'app.mail.per-link is everyone. The history says which address opened the link',
  },
  confirm: {
    about: 'Shows browsers a confirmation page first',
    details: 'So mail scanners and previews spend no view',
  },
  notifyEmail: {
    about: 'Receives a mail when the link is opened',
    details:
      'After the first view, usually after the first that no known bot spent, after files arrived, and else at most one a day, in the language of ' +
      'Accept-Language. The own verified address of a person who has signed in is allowed; the administrator allows others, which ' +
      'need the scope `create`, unless ' +
      'app.mail.per-link is everyone',
  },
  notifyUrl: {
    about: 'Receives webhooks about the link',
    details:
      'Needs webhooks of the service, and the scope `create`, unless app.webhooks.per-link is everyone',
  },
  fallbackUrl: {
    about: 'Visitors go there when the link has expired or is used up',
    details:
      'Not those who accept JSON. The attempt is recorded as EXPIRED or VIEW_LIMIT_REACHED. A revoked link leads nowhere',
  },
  forwardPath: { about: 'Appends what follows the short code in the address to the target' },
  forwardQuery: { about: 'Adds the query of the address to that of the target, whose own parameters stay' },
};
