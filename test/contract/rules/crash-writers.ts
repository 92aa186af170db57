import { createHash } from 'node:crypto';

import { portsSoFar, type PortsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import type { KeyScope } from '../../../src/domain/ports/idempotency/idempotency-repository.ts';
import { contentOf, definitionOf, TYPE } from './shop.ts';

export interface CrashShop {
  readonly storeId: string;
  readonly installationId: string;
}

/** Writes at the same time. */
const WRITERS = 4;

export const scopeOf = ({ storeId, installationId }: CrashShop, number: number): KeyScope => ({
  storeId,
  installationId,
  key: `write-${String(number)}`,
});
export const placeOf = (shop: CrashShop, number: number) => ({ ...shop, type: TYPE, handle: `write-${String(number)}` });

/** The id of the entry of a write. */
const entryIdOf = (number: number): string => {
  const hex = createHash('sha256').update(String(number)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export const prepare = async (written: PortsSoFar<StoragePorts>, { storeId }: CrashShop): Promise<void> => {
  await portsSoFar(written).transaction.run(null, (tx) => tx.metaobjects.putDefinition(storeId, definitionOf(storeId)));
};

/**
 * Writes an entry and remembers its key in one transaction, again and again, from this number on, until a write fails. Calls `onDone`
 * after each that was acknowledged.
 */
export const writeOn = async (
  written: PortsSoFar<StoragePorts>,
  shop: CrashShop,
  from: number,
  onDone: (number: number) => void,
): Promise<void> => {
  const { transaction } = portsSoFar(written);
  let next = from;
  const writer = async (): Promise<void> => {
    for (;;) {
      const number = (next += 1);
      const scope = scopeOf(shop, number);
      const claim = { cause: null, scope, fingerprint: '1'.repeat(64) };
      await transaction.runClaimed(claim, async (tx) => {
        await tx.idempotency.lock(scope);
        await tx.metaobjects.putEntry(placeOf(shop, number), contentOf(shop.storeId), entryIdOf(number));
        await tx.idempotency.remember(scope, { status: 200, headers: {}, body: Buffer.from(String(number)) });
      });
      onDone(number);
    }
  };
  await Promise.allSettled(Array.from({ length: WRITERS }, writer));
};
