import { categoryClaims, slugClaims } from '../../domain/catalogue/bulk-claims.ts';
import { bulkUpdate, updatedEvent } from '../../domain/catalogue/bulk-update.ts';
import type { BulkResponse } from '../../domain/catalogue/bulk-update.ts';
import { bulkCountFault, readChanges } from '../../domain/catalogue/bulk-change.ts';
import type { RawChange } from '../../domain/catalogue/bulk-change.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { isoTime } from '../../domain/time.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';

/** Updates up to `maxProducts` products in the caller's store, in the transaction of its idempotency key, with their events. */
export const updateProducts =
  ({ clock }: Pick<Ports, 'clock'>, maxProducts: number) =>
  async (tx: TransactionPorts, caller: Caller, raws: readonly RawChange[]): Promise<Result<BulkResponse, 'invalid'>> => {
    const fault = bulkCountFault(raws.length, maxProducts);
    if (fault !== null) return refuse('invalid', fault);
    const { storeId, installationId } = caller;
    const changes = readChanges(raws);
    const products = await tx.bulkProducts.lock(storeId, [...new Set(changes.map(({ id }) => id))]);
    const current = new Map(products.map((product) => [product.id, product]));
    const holders = await tx.bulkProducts.claimSlugs(storeId, slugClaims(changes, current));
    const categories = await tx.bulkProducts.categories(storeId, categoryClaims(changes));
    // Read after the locks: a request that waited for another one ends after it.
    const now = isoTime(clock.now());
    const { response, writes } = bulkUpdate(changes, { current, holders, categories, now });
    await tx.bulkProducts.update(storeId, writes, now);
    await tx.events.append(writes.map((write) => updatedEvent(storeId, installationId, write)));
    return ok(response);
  };
