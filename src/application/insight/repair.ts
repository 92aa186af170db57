import { REPAIR_DELIVERS_SECONDS, type RepairableName } from '../../domain/insight/invariants.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';

/** A page takes about a second where each row has to be repaired. */
const LIMIT = 2_000;

export interface RepairedPage {
  readonly invariant: RepairableName;
  readonly counted: number;
  readonly repaired: number;
  readonly next: string | null;
}

/** Repairs one page of what violates the invariant, and has what it restored read and sent. */
export const repair =
  ({ repairs, deliveryQueue, feedSignal }: Pick<Ports, 'repairs' | 'deliveryQueue' | 'feedSignal'>) =>
  async (invariant: RepairableName, after: string | null): Promise<Result<RepairedPage, 'invalid'>> => {
    const page = await repairs.repair(invariant, { after, limit: LIMIT, deliverSeconds: REPAIR_DELIVERS_SECONDS });
    if (page === null) return refuse('invalid', 'after must be the value of `next` of an earlier page');
    for (const storeId of page.storeIds) feedSignal.announce(storeId);
    await deliveryQueue.wake(page.subscriptions);
    const { counted, repaired, next } = page;
    return ok({ invariant, counted, repaired, next });
  };
