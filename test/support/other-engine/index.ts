import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState, type MemoryState } from '../../memory/state.ts';
import { createFeedSignal } from '../../memory/webhooks/feed-signal.ts';
import { createWorkLeases } from '../../memory/work-lease.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import { StartFailure } from '../../../src/adapters/startup/start-failure.ts';
import { fine } from '../../../src/adapters/storage/finding.ts';
import { missingPorts, storageSoFar, type PortsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StorageAdapter, StoragePorts } from '../../../src/adapters/storage/storage.ts';

/** All ports but the one that finds things. */
const portsOf = (state: MemoryState, { clock, ids }: { readonly clock: Clock; readonly ids: Ids }): PortsSoFar<StoragePorts> => {
  const { finder: _, ...ports } = createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state);
  return { ...ports, feedSignal: createFeedSignal(state), workLeases: createWorkLeases(state) };
};

const refused = (): Promise<never> => Promise.reject(new StartFailure('This engine has no archives yet.'));

export const otherAdapter: StorageAdapter = {
  open: (_, options) => storageSoFar({ ports: portsOf(createMemoryState(), options) }),
  openTool: () => storageSoFar({ ports: {} }),
  openShards: async () => null,
  examine: (_, options) => {
    const written = portsOf(createMemoryState(), options);
    const { app, secrets, processes, close } = storageSoFar({ ports: written });
    return {
      secrets,
      processes,
      close,
      deliveries: app.deliveries,
      mediaFiles: app.mediaFiles,
      missing: missingPorts(written),
      reach: async () => ({ isReached: true, found: fine('Other 1.0') }),
      checks: [{ name: 'migrations', run: () => fine('there are no migrations') }],
    };
  },
  openSnapshot: refused,
  recordBackup: refused,
  beginRestore: refused,
  beginImport: refused,
};
