import type { KeyUse } from '../../domain/idempotency/key-use.ts';
import type { AppKeyScope } from '../../domain/ports/idempotency/idempotency-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { KeyUses } from '../../domain/ports/idempotency/key-log.ts';

export interface KeyUseCounter {
  /** Never waits. */
  add(scope: AppKeyScope, use: KeyUse): void;
  flush(): Promise<void>;
}

/** Keys of one batch. */
const MAX_KEYS = 10_000;
const NONE = { replays: 0, conflicts: 0, mismatches: 0 };

type Counts = { -readonly [Name in keyof KeyUses]: KeyUses[Name] };

/**
 * Counts how keys are used again, off the path of the requests. A batch that fails is not sent
 * again, because nobody knows whether it was counted. `onLost` gets the number of uses that are not
 * counted.
 */
export const countKeyUses = ({ keyLog }: Pick<Ports, 'keyLog'>, onLost: (uses: number) => void): KeyUseCounter => {
  let counts = new Map<string, Counts>();
  return {
    add: ({ storeId, installationId, key }, use) => {
      const id = `${installationId} ${key}`;
      const known = counts.get(id);
      if (known) known[use] += 1;
      else if (counts.size >= MAX_KEYS) onLost(1);
      else counts.set(id, { storeId, installationId, key, ...NONE, [use]: 1 });
    },
    flush: async () => {
      if (counts.size === 0) return;
      const batch = [...counts.values()];
      counts = new Map();
      try {
        await keyLog.count(batch);
      } catch (error) {
        onLost(batch.reduce((sum, { replays, conflicts, mismatches }) => sum + replays + conflicts + mismatches, 0));
        throw error;
      }
    },
  };
};
