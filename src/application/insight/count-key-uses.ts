import type { KeyUse } from '../../domain/idempotency/key-use.ts';
import type { AppKeyScope } from '../../domain/ports/idempotency/idempotency-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { KeyUses } from '../../domain/ports/idempotency/key-log.ts';
import { gatherCounts } from './gather-counts.ts';

export interface KeyUseCounter {
  /** Never waits. */
  add(scope: AppKeyScope, use: KeyUse): void;
  flush(): Promise<void>;
}

const NONE = { replays: 0, conflicts: 0, mismatches: 0 };

type Counts = { -readonly [Name in keyof KeyUses]: KeyUses[Name] };

/** Counts how keys are used again, off the path of the requests. `onLost` gets the number of uses that are not counted. */
export const countKeyUses = ({ keyLog }: Pick<Ports, 'keyLog'>, onLost: (uses: number) => void): KeyUseCounter => {
  const counts = gatherCounts<Counts>({
    write: (own) => keyLog.count(own),
    sizeOf: ({ replays, conflicts, mismatches }) => replays + conflicts + mismatches,
    onLost,
  });
  return {
    add: ({ storeId, installationId, key }, use) => {
      const entry = counts.of(`${installationId} ${key}`, () => ({ storeId, installationId, key, ...NONE }));
      if (entry) entry[use] += 1;
    },
    flush: counts.flush,
  };
};
