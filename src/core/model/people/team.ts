/** People with whom links are shared. */
export type Team = {
  /** Unique among all teams. Links name the team by it. */
  name: string;
  /** The names of its active people, in their order. */
  members: string[];
};

/** The numbers of links that people own, and teams share: the entries of a map by name. */
export type HeldLinks = Record<'people' | 'teams', [name: string, count: number][]>;
