import { portsSoFar } from '../../../src/adapters/storage/so-far.ts';
import { placeOf, scopeOf } from './crash-writers.ts';
import type { CrashWorld } from './rules-world.ts';

/** Acknowledged writes before each crash. */
const WRITES = 10;
/** Writes that may have begun and were not acknowledged. */
const IN_FLIGHT = 8;

/** An acknowledged write is there after a crash. Another one is there as a whole, or not at all. */
export const crashFaults = async (world: CrashWorld): Promise<string[]> => {
  const faults: string[] = [];
  const done = new Set<number>();
  for (let crash = 1; crash <= (world.crashes ?? 12); crash += 1) {
    const enough = done.size + WRITES;
    await new Promise<void>((resolve, reject) => {
      world
        .write((number) => {
          done.add(number);
          if (done.size >= enough) resolve();
        })
        .catch(reject);
    });
    await world.crash();
    const ports = portsSoFar(await world.reopen());
    const last = Math.max(...done);
    for (let number = 1; number <= last + IN_FLIGHT; number += 1) {
      const known = await ports.idempotency.find(scopeOf(world.shop, number));
      const entry = await ports.metaobjects.find(placeOf(world.shop, number));
      const isFinished = known?.record.state === 'finished';
      if (done.has(number) && !isFinished)
        faults.push(`write ${String(number)} was acknowledged, and its key is ${known?.record.state ?? 'gone'}`);
      if (isFinished !== (entry !== null)) faults.push(`write ${String(number)} is there by half`);
    }
  }
  return faults;
};
