import { INVARIANT_NAMES, INVARIANTS, type InvariantName } from '../../domain/insight/invariants.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { isoTime } from '../../domain/time.ts';

const LIMIT = 10_000;
/** No check begins later, so that all of them end in 5 seconds. */
const LAST_BEGIN_MS = 4_400;

export interface Checked {
  readonly name: InvariantName;
  readonly statement: string;
  /** Whether the check ended in its time. Otherwise there are no counts. */
  readonly isComplete: boolean;
  readonly counted: number | null;
  readonly violated: number | null;
  /** Whether there may be more rows than were counted. */
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

/** Checks all invariants, one after the other. Calls that come meanwhile get the same reading. */
export const verify = ({ invariants, clock }: Pick<Ports, 'invariants' | 'clock'>): (() => Promise<Verification>) => {
  const checkOne = async (name: InvariantName, isInTime: boolean): Promise<Checked> => {
    const checkedAt = isoTime(clock.now());
    const found = isInTime ? await invariants.check(name, LIMIT) : null;
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
  const checkAll = async (): Promise<Verification> => {
    const begun = clock.now();
    const checked: Checked[] = [];
    for (const name of INVARIANT_NAMES) checked.push(await checkOne(name, clock.now() - begun < LAST_BEGIN_MS));
    const now = clock.now();
    const ok = checked.every(({ violated }) => violated === 0);
    return { checkedAt: isoTime(now), durationMs: now - begun, ok, invariants: checked };
  };
  let running: Promise<Verification> | null = null;
  return () =>
    (running ??= checkAll().finally(() => {
      running = null;
    }));
};
