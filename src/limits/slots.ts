/** Bounds what is under way at once, in all and for each client. */
export type Slots = {
  /** Takes a slot for a client. Returns a function that releases it, or undefined while none is free. */
  acquire(client: string): (() => void) | undefined;
  isFree(client: string): boolean;
};

export function createSlots({ max, maxPerClient }: { max: number; maxPerClient: number }): Slots {
  const byClient = new Map<string, number>();
  let count = 0;

  const isFree = (client: string): boolean => count < max && (byClient.get(client) ?? 0) < maxPerClient;

  function add(client: string, amount: 1 | -1): void {
    const ofClient = (byClient.get(client) ?? 0) + amount;
    if (ofClient === 0) byClient.delete(client);
    else byClient.set(client, ofClient);
    count += amount;
  }

  return {
    isFree,
    acquire(client) {
      if (!isFree(client)) return undefined;
      add(client, 1);
      let isHeld = true;
      return () => {
        if (isHeld) add(client, -1);
        isHeld = false;
      };
    },
  };
}
