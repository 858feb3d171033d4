/** The SMTP server that takes mails. STARTTLS is required where it is named, so no attacker can remove it. */
export type MailServer = Readonly<{
  host: string;
  port: number;
  security: 'TLS' | 'STARTTLS' | 'NONE';
  credentials: Readonly<{ user: string; pass: string }> | null;
}>;

/** The sender of mails. */
export type MailSender = Readonly<{ name: string; address: string }>;

/** The settings of mails. Without a server there are none, and with one there is a sender. */
export type MailSettings = Readonly<{
  server: MailServer | null;
  from: MailSender | null;
  /** The addresses and domains, in lower case, that links may notify. */
  recipients: readonly string[];
  /** Who may name one of them for a new link. */
  perLink: 'signed-in' | 'everyone';
}>;
