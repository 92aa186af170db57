import type { VariantNames } from '../../domain/catalogue/bulk-variant.ts';
import { checkBulkCount } from '../../domain/catalogue/bulk-change.ts';
import { checkStock, parseVariantChanges, type RawVariantChange } from '../../domain/catalogue/variant-change.ts';
import { variantEvents } from '../../domain/catalogue/variant-events.ts';
import { variantUpdate, type VariantBulkResponse } from '../../domain/catalogue/variant-update.ts';
import { warehouseNames } from '../../domain/catalogue/warehouse.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { ok, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';

/** An app with its scopes, or the merchant, who has no installation and may change all. */
export interface VariantCaller extends Omit<Caller, 'installationId'> {
  readonly installationId: string | null;
}

const ALL: readonly Scope[] = ['write_products', 'write_inventory'];

export const merchantOf = (storeId: string): VariantCaller => ({ storeId, installationId: null, scopes: ALL });

const distinct = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.flatMap((name) => (name === undefined ? [] : [name]))),
];

export const namesOf = (raws: readonly RawVariantChange[]): VariantNames => ({
  ids: distinct(raws.map(({ id }) => id)),
  skus: distinct(raws.map(({ sku }) => sku)),
});

/**
 * Updates the prices and the stock of up to `maxVariants` variants of the caller's store, with their
 * events, in the transaction of the idempotency key.
 */
export const updateVariants =
  ({ clock, ids }: Pick<Ports, 'clock' | 'ids'>, maxVariants: number) =>
  async (
    tx: TransactionPorts,
    { storeId, installationId, scopes }: VariantCaller,
    raws: readonly RawVariantChange[],
  ): Promise<Result<VariantBulkResponse, 'invalid'>> => {
    const refusal = checkBulkCount('variants', raws.length, maxVariants) ?? checkStock(raws);
    if (refusal) return refusal;
    const changes = parseVariantChanges(raws);
    const changesStock = raws.some(({ stock }) => stock !== undefined);
    const [current, stored] = await Promise.all([
      tx.bulkVariants.lock(storeId, namesOf(raws)),
      changesStock ? tx.warehouses.list(storeId) : [],
    ]);
    // Read after the locks, so that a request that waited for another has a later time.
    const now = isoTime(clock.now());
    const { response, writes } = variantUpdate(changes, { storeId, current, scopes, nextId: () => ids.next() });
    await tx.bulkVariants.update(storeId, writes, now);
    await tx.events.append(variantEvents({ storeId, origin: installationId, nameOf: warehouseNames(stored) }, writes));
    return ok(response);
  };
