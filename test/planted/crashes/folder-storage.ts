import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';

import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState } from '../../memory/state.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { creatingBy } from '../../contract/rules/creating.ts';
import type { OpenedStorage } from '../../contract/rules/crash-child.ts';

type Tables = ReturnType<typeof createMemoryState>['tables'];

const read = (path: string): Promise<Tables> =>
  readFile(path).then(
    (bytes) => deserialize(bytes) as Tables,
    () => ({}),
  );

/** The ports in memory, with their tables in a folder: in one file, or in two that are replaced one after the other. */
export const openFolder = async (path: string, isInParts: boolean): Promise<OpenedStorage> => {
  const [rows, keys] = [join(path, 'rows'), join(path, 'keys')];
  const state = { ...createMemoryState(), tables: { ...(await read(rows)), ...(await read(keys)) } };
  const ids = sequentialIds();
  const ports = createMemoryPorts({ clock: manualClock(Date.now()), ids, idempotencyTtlSeconds: 86_400 }, state);
  const replace = async (file: string, tables: Tables): Promise<void> => {
    await writeFile(`${file}.next`, serialize(tables));
    await rename(`${file}.next`, file);
  };
  const store = async (): Promise<void> => {
    const { idempotency, ...others } = state.tables;
    if (!isInParts || idempotency === undefined) return replace(rows, state.tables);
    await replace(rows, others);
    await setTimeout(5);
    await replace(keys, { idempotency });
  };
  let stored = Promise.resolve();
  const storing = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    stored = stored.then(store);
    await stored;
    return done;
  };
  const { transaction } = ports;
  const { aStore, anInstallation } = creatingBy(ports, () => ids.next());
  return {
    ports: {
      ...ports,
      transaction: {
        run: (cause, work) => storing(transaction.run(cause, work)),
        runClaimed: (claim, work) => storing(transaction.runClaimed(claim, work)),
      },
    },
    aStore: (domain) => storing(aStore(domain)),
    anInstallation: (storeId, clientId) => storing(anInstallation(storeId, clientId)),
    close: () => stored,
  };
};
