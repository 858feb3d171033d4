/** One value that a store keeps and that a recount does not confirm. */
export type Difference = { what: string; kept: string; recounted: string };

/** What recounting every rollup of a store came to: what differs, of how many attempts. */
export type Recount = { differences: Difference[]; attempts: number };
