/** How a link is restricted, as the service takes it. What is absent is no restriction. */
export type Restrictions = {
  expiresAt?: string;
  /** As it was typed where that is no number: then the service says what is wrong with it. */
  maxViews?: number | string;
  password?: string;
  confirm?: boolean;
};

/** A link as the service tells of it when it has made it. */
export type CreatedLink = {
  shortCode: string;
  accessUrl: string;
  expiresAt: string | null;
  maxViews: number | null;
};

export type LinkStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED';

/** What the service tells of a link to whoever knows its short code. */
export type LinkDescription = CreatedLink & {
  type: 'REDIRECT' | 'DOWNLOAD';
  status: LinkStatus;
  viewCount: number;
  passwordProtected: boolean;
  confirm: boolean;
  createdAt: string;
};
