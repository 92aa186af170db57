import { categoryClaims, bulkSlugClaims, updatedEvent } from '../../domain/catalogue/bulk-product.ts';
import { bulkUpdate, type BulkResponse } from '../../domain/catalogue/bulk-update.ts';
import { checkBulkCount, parseChanges, type RawChange } from '../../domain/catalogue/bulk-change.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { isoTime } from '../../domain/time.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';

/**
 * Updates up to `maxProducts` products of the caller's store, with their events, in the transaction
 * of the idempotency key.
 */
export const updateProducts =
  ({ clock }: Pick<Ports, 'clock'>, maxProducts: number) =>
  async (tx: TransactionPorts, caller: Caller, raws: readonly RawChange[]): Promise<Result<BulkResponse, 'invalid'>> => {
    const refusal = checkBulkCount('products', raws.length, maxProducts);
    if (refusal) return refusal;
    const { storeId, installationId } = caller;
    const changes = parseChanges(raws);
    const products = await tx.bulkProducts.lock(storeId, [...new Set(changes.map(({ id }) => id))]);
    const current = new Map(products.map((product) => [product.id, product]));
    const holders = await tx.bulkProducts.claimSlugs(storeId, bulkSlugClaims(changes, current));
    const categories = await tx.bulkProducts.categories(storeId, categoryClaims(changes));
    // Read after the locks, so that a request that waited for another has a later time.
    const now = isoTime(clock.now());
    const { response, writes } = bulkUpdate(changes, { current, holders, categories, now });
    await tx.bulkProducts.update(storeId, writes, now);
    await tx.events.append(writes.map((write) => updatedEvent(storeId, installationId, write)));
    return ok(response);
  };
