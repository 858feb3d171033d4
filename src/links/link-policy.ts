/** The administrator's limits on the restrictions of new links. Null sets no limit. */
export type LinkPolicy = Readonly<{
  /** The longest lifetime, also of a link created without `expiresAt`. */
  maxTtl: Temporal.Duration | null;
  /** The most views, also of a link created without `maxViews`. */
  maxViews: number | null;
  passwordRequired: boolean;
  /** Whether clients may choose short codes, which others can guess. */
  customCodes: boolean;
}>;
