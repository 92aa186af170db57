import type { PortsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import { creatingBy } from '../rules/creating.ts';
import type { RulesWorld } from '../rules/rules-world.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryPorts, type Conflicts } from '../../memory/index.ts';

export type MemoryPorts = ReturnType<typeof createMemoryPorts>;

/** The world of the rules, with ports that `change` may have made wrong. */
export const memoryRulesWorld = async (
  change: (ports: MemoryPorts) => PortsSoFar<StoragePorts> = (ports) => ports,
  tries?: number,
): Promise<RulesWorld> => {
  const conflicts: Conflicts = { left: 0 };
  const ids = sequentialIds();
  const ports = createMemoryPorts({
    clock: manualClock(Date.now()),
    ids,
    idempotencyTtlSeconds: 86_400,
    conflicts,
    ...(tries && { tries }),
  });
  return {
    ports: change(ports),
    ...creatingBy(ports, () => ids.next()),
    refuse: async (next) => {
      conflicts.left = next;
    },
    close: async () => undefined,
  };
};
