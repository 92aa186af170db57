import {
  INVARIANT_NAMES,
  INVARIANTS,
  type InvariantName,
  REPAIR_DELIVERS_SECONDS,
  type RepairableName,
} from '../../domain/insight/invariants.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';

const LIMIT = 10_000;
/** No check begins later, and each has its time, so that all of them end in 5 seconds. */
const LAST_BEGIN_MS = 4_400;
const CHECK_MS = 550;
/** A check that is asked for alone may read what a cold database does not have in memory. */
const ALONE_MS = 20_000;

interface Checked {
  readonly name: InvariantName;
  readonly statement: string;
  /** False when the check ran out of time. There are no counts then. */
  readonly isComplete: boolean;
  readonly counted: number | null;
  readonly violated: number | null;
  /** True when there may be more rows than were counted. */
  readonly isSample: boolean;
  readonly examples: readonly string[];
  readonly checkedAt: string;
}

export interface Verification {
  readonly checkedAt: string;
  readonly durationMs: number;
  readonly ok: boolean;
  readonly invariants: readonly Checked[];
}

/** Checks all invariants, one after the other, or the one that is named, with more time. Calls that come meanwhile get the same reading. */
export const verify = ({ invariants, clock }: Pick<Ports, 'invariants' | 'clock'>) => {
  const checkOne = async (name: InvariantName, timeoutMs: number, isInTime: boolean): Promise<Checked> => {
    const checkedAt = isoTime(clock.now());
    const found = isInTime ? await invariants.check(name, LIMIT, timeoutMs) : null;
    return {
      name,
      statement: INVARIANTS[name],
      isComplete: found !== null,
      counted: found?.counted ?? null,
      violated: found?.violated ?? null,
      isSample: found?.isSample ?? true,
      examples: found?.examples ?? [],
      checkedAt,
    };
  };
  const checkEach = async (only: InvariantName | null): Promise<Verification> => {
    const begun = clock.now();
    const checked: Checked[] = [];
    const [names, timeoutMs] = only === null ? [INVARIANT_NAMES, CHECK_MS] : [[only], ALONE_MS];
    for (const name of names) checked.push(await checkOne(name, timeoutMs, clock.now() - begun < LAST_BEGIN_MS));
    const now = clock.now();
    const ok = checked.every(({ violated }) => violated === 0);
    return { checkedAt: isoTime(now), durationMs: now - begun, ok, invariants: checked };
  };
  const running = new Map<InvariantName | null, Promise<Verification>>();
  return (only: InvariantName | null): Promise<Verification> => {
    const reading = running.get(only) ?? checkEach(only).finally(() => running.delete(only));
    running.set(only, reading);
    return reading;
  };
};

/** A page takes about a second where each row has to be repaired. */
const REPAIRED_AT_ONCE = 2_000;

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
    const page = await repairs.repair(invariant, { after, limit: REPAIRED_AT_ONCE, deliverSeconds: REPAIR_DELIVERS_SECONDS });
    if (page === null) return refuse('invalid', 'after must be the value of `next` of an earlier page');
    for (const storeId of page.storeIds) feedSignal.announce(storeId);
    await deliveryQueue.wake(page.subscriptions);
    const { counted, repaired, next } = page;
    return ok({ invariant, counted, repaired, next });
  };
