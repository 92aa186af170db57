import { covers, type Scope } from '../identity/scope.ts';
import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { available, changedStock, hasNewPrice, type BulkVariant, type StockNote, type VariantWrite } from './bulk-variant.ts';
import { ignoredInAnswer } from './ignored-members.ts';
import { isReduced } from './price.ts';
import type { ParsedVariantChange, VariantChange, VariantErrorCode } from './variant-change.ts';
import {
  changedWarehouses,
  changeStock,
  isInt32,
  placeChanges,
  presentStock,
  STOCK_TOO_LARGE,
  type PlacedChange,
  type PresentStock,
} from './variant-stock.ts';

/** The stock after the request, with the caller's words about its change where there are any. */
export type StockAnswer = PresentStock & { readonly reason?: string; readonly reference?: string };

export interface VariantResult {
  readonly id: string | null;
  readonly status: 'Updated' | 'Unchanged' | 'Failed';
  readonly stock: readonly StockAnswer[];
  readonly error: string | null;
  readonly errorCode: VariantErrorCode | null;
  /** Names of members of the element that were not read. Absent for none. */
  readonly ignored?: readonly string[];
}

export interface VariantBulkResponse {
  readonly requested: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly results: readonly VariantResult[];
}

export interface VariantContext {
  readonly storeId: string;
  /** The live variants of the store among those named. */
  readonly current: readonly BulkVariant[];
  readonly scopes: readonly Scope[];
  readonly nextId: () => string;
}

type Decision<T> = Result<T, VariantErrorCode>;

/** `isOnSale` follows the prices, unless it says otherwise now. */
const changePrice = (variant: BulkVariant, change: VariantChange): BulkVariant => {
  const { id, productId, sku, totalInventory, stock } = variant;
  const price = change.price ?? variant.price;
  const compareAtPrice = change.compareAtPrice === undefined ? variant.compareAtPrice : change.compareAtPrice;
  const isOnSale = variant.isOnSale === isReduced(variant) ? isReduced({ price, compareAtPrice }) : variant.isOnSale;
  return { id, productId, sku, price, compareAtPrice, isOnSale, totalInventory, stock };
};

const namesPrice = ({ price, compareAtPrice }: VariantChange): boolean => price !== undefined || compareAtPrice !== undefined;

const scopeRefusal = (change: VariantChange, scopes: readonly Scope[]): Refusal<'scope_missing'> | null => {
  if (namesPrice(change) && !covers(scopes, 'write_products')) return refuse('scope_missing', 'A price needs write_products.');
  if (change.stock.length > 0 && !covers(scopes, 'write_inventory'))
    return refuse('scope_missing', 'Stock needs write_inventory.');
  return null;
};

const notesOf = (placed: readonly PlacedChange[]): StockNote[] =>
  placed.flatMap(({ warehouseId, reason, reference }) =>
    reason === null && reference === null ? [] : [{ warehouseId, reason, reference }],
  );

const decide = (
  before: BulkVariant,
  { change }: ParsedVariantChange,
  { storeId, scopes, nextId }: VariantContext,
): Decision<VariantWrite> => {
  if (!change.ok) return change;
  const refusal = scopeRefusal(change.value, scopes);
  if (refusal) return refusal;
  const placed = placeChanges(before, change.value.stock, storeId);
  if (!placed.ok) return placed;
  let after: BulkVariant = namesPrice(change.value) ? changePrice(before, change.value) : before;
  for (const stock of placed.value) {
    const changed = changeStock(after, stock, nextId);
    if (!changed.ok) return changed;
    after = changed.value;
  }
  return ok({ before, after, notes: notesOf(placed.value) });
};

/** The variants by the names that a request may use. */
class NamedVariants {
  private readonly ids: ReadonlyMap<string, BulkVariant>;
  private readonly skus = new Map<string, BulkVariant[]>();

  constructor(current: readonly BulkVariant[]) {
    this.ids = new Map(current.map((variant) => [variant.id, variant]));
    for (const variant of current) this.skus.set(variant.sku, [...(this.skus.get(variant.sku) ?? []), variant]);
  }

  find({ id, sku }: ParsedVariantChange): Decision<BulkVariant> {
    const named = sku === undefined ? [this.ids.get(id ?? '') ?? []].flat() : (this.skus.get(sku) ?? []);
    const [found] = named;
    if (found === undefined) return refuse('variant_not_found', 'No variant of this store has this id or SKU.');
    return named.length > 1 ? refuse('sku_ambiguous', 'More than one variant of this store has this SKU.') : ok(found);
  }
}

const withNote = (present: PresentStock, notes: readonly StockNote[]): StockAnswer => {
  const note = notes.find(({ warehouseId }) => warehouseId === present.warehouseId);
  if (note === undefined) return present;
  const { reason, reference } = note;
  return { ...present, ...(reason !== null && { reason }), ...(reference !== null && { reference }) };
};

/** `before` says which warehouse has the stock that names none, and `after` has the figures. */
const shownStock = (
  { before, after, notes = [] }: VariantWrite,
  { change }: ParsedVariantChange,
  { storeId }: VariantContext,
): StockAnswer[] =>
  change.ok
    ? [...changedWarehouses(before, change.value.stock, storeId)].map((warehouseId) =>
        withNote(presentStock(after, warehouseId), notes),
      )
    : [];

const failed = (
  id: string | null,
  { code, message }: Refusal<VariantErrorCode>,
  stock: readonly PresentStock[] = [],
): VariantResult => ({ id, status: 'Failed', stock, error: message, errorCode: code });

const isChanged = (write: VariantWrite): boolean => hasNewPrice(write) || changedStock(write).length > 0;

/**
 * Decides a bulk update of variants (docs/specification/catalogue.md, "Bulk update of variants").
 * Each variant is changed completely or not at all, and only once. Only changed variants are
 * written.
 */
export const variantUpdate = (
  changes: readonly ParsedVariantChange[],
  context: VariantContext,
): { response: VariantBulkResponse; writes: VariantWrite[] } => {
  const named = new NamedVariants(context.current);
  const seen = new Set<string>();
  /** The stock of each product, which is stored as well. */
  const totals = new Map(context.current.map(({ productId, totalInventory }) => [productId, totalInventory]));
  const writes: VariantWrite[] = [];
  const withIgnored = ignoredInAnswer();
  const decideOne = (parsed: ParsedVariantChange): VariantResult => {
    const found = named.find(parsed);
    if (!found.ok) return failed(parsed.id ?? null, found);
    const { id, productId } = found.value;
    const unchanged = { before: found.value, after: found.value };
    if (seen.has(id)) return failed(id, refuse('duplicate_in_request', 'The variant appears more than once in this request.'));
    seen.add(id);
    const decided = decide(found.value, parsed, context);
    if (!decided.ok) return failed(id, decided, shownStock(unchanged, parsed, context));
    const { before, after } = decided.value;
    const total = (totals.get(productId) ?? 0) + available(after) - available(before);
    if (!isInt32(total)) return failed(id, STOCK_TOO_LARGE, shownStock(unchanged, parsed, context));
    totals.set(productId, total);
    const status = isChanged(decided.value) ? 'Updated' : 'Unchanged';
    if (status === 'Updated') writes.push(decided.value);
    return { id, status, stock: shownStock(decided.value, parsed, context), error: null, errorCode: null };
  };
  const results = changes.map((parsed) => withIgnored(decideOne(parsed), parsed.ignored));
  const failures = results.filter(({ status }) => status === 'Failed').length;
  return { writes, response: { requested: results.length, succeeded: results.length - failures, failed: failures, results } };
};
