import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import { creatingBy } from '../rules/creating.ts';
import { prepare, writeOn } from '../rules/crash-writers.ts';
import type { CrashWorld } from '../rules/rules-world.ts';

/** A storage in memory whose crash loses nothing, the last commit, or a part of it. */
export const memoryCrashWorld = async (
  loses: 'nothing' | 'the last commit' | 'a part of the last commit',
): Promise<CrashWorld> => {
  const state = createMemoryState();
  const ids = sequentialIds();
  const options = { clock: manualClock(Date.now()), ids, idempotencyTtlSeconds: 86_400 };
  const ports = createMemoryPorts(options, state);
  const { aStore, anInstallation } = creatingBy(ports, () => ids.next());
  const storeId = await aStore('crash.test');
  const shop = { storeId, installationId: await anInstallation(storeId, 'client') };
  await prepare(ports, shop);
  const open = { is: true };
  let last = 0;
  const removeLast = (name: string): void => {
    const key = [...table(state, name).keys()].filter((one) => one.includes(`write-${String(last)}`)).at(-1);
    if (key !== undefined) table(state, name).delete(key);
  };
  return {
    shop,
    write: async (onDone) => {
      open.is = true;
      await writeOn(ports, shop, last, (number) => {
        last = Math.max(last, number);
        onDone(number);
        if (!open.is) throw new Error('crashed');
      });
    },
    crash: async () => {
      open.is = false;
      if (loses !== 'nothing') removeLast('metaobject_entries');
      if (loses === 'the last commit') removeLast('idempotency');
    },
    reopen: async () => ports,
    close: async () => undefined,
  };
};
