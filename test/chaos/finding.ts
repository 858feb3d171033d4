/** A finding of a check. A loss is something acknowledged that is not stored. */
export type Finding = { isLoss: boolean; text: string };
