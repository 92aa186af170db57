type Mode = 'shared' | 'exclusive';

/** The locks of one transaction. */
export interface TransactionLocks {
  /** Waits until no other transaction has the key, or none has it exclusively for a shared lock. */
  take(key: string, mode?: Mode): Promise<void>;
  /** Ends all locks of this transaction. */
  release(): void;
}

export interface Locks {
  open(): TransactionLocks;
  isHeld(key: string): boolean;
}

/**
 * Locks like those of a database: a key is held by one transaction exclusively, or by any number of
 * them together.
 */
export const createLocks = (): Locks => {
  const holders = new Map<string, Map<TransactionLocks, Mode>>();
  let waiting: (() => void)[] = [];
  const held = (key: string): Map<TransactionLocks, Mode> => holders.get(key) ?? new Map<TransactionLocks, Mode>();
  const isBlocked = (key: string, mode: Mode, own: TransactionLocks): boolean =>
    [...held(key)].some(([holder, other]) => holder !== own && (mode === 'exclusive' || other === 'exclusive'));
  return {
    open: () => {
      const own: TransactionLocks = {
        take: async (key, mode = 'exclusive') => {
          while (isBlocked(key, mode, own)) await new Promise<void>((resolve) => waiting.push(resolve));
          if (held(key).get(own) !== 'exclusive') holders.set(key, held(key).set(own, mode));
        },
        release: () => {
          for (const owners of holders.values()) owners.delete(own);
          const woken = waiting;
          waiting = [];
          for (const wake of woken) wake();
        },
      };
      return own;
    },
    isHeld: (key) => held(key).size > 0,
  };
};
