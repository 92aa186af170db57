import { MAX_KEPT, type KeptRefusal, type RefusedRequest } from '../../domain/insight/refused-request.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { DatabaseUnavailable } from '../../domain/ports/transaction.ts';
import { writeByStore } from './write-by-store.ts';

export interface RefusalGatherer {
  /** Never waits. */
  add(refusal: RefusedRequest): void;
  flush(): Promise<void>;
}

interface Group {
  readonly kept: RefusedRequest[];
  leftOut: number;
}

/**
 * Groups of one batch, for requests of installations and for requests that no token named. Nobody
 * can use up the first with hosts or tokens of their own.
 */
const MAX_GROUPS = { known: 2_000, unknown: 200 };
/** Rows of one batch. A group that begins beyond them is lost. */
const MAX_ROWS = 2_000;
const MINUTE_MS = 60_000;

const rowsOf = (groups: Iterable<Group>): KeptRefusal[] =>
  [...groups].flatMap(({ kept, leftOut }) =>
    kept.map((refusal, at) => ({ ...refusal, leftOut: at === kept.length - 1 ? leftOut : 0 })),
  );

/**
 * Gathers refusals for the request log, off the path of the requests. Ten of each installation and
 * reason are kept between two flushes; the last of them counts the others. While the database is
 * unavailable, what it did not take waits for the next flush. `onLost` gets the number of refusals that nothing counts.
 */
export const gatherRefusals = (
  { requestLog }: Pick<Ports, 'requestLog'>,
  onLost: (refusals: number) => void,
): RefusalGatherer => {
  const groups = { known: new Map<string, Group>(), unknown: new Map<string, Group>() };
  let rows = 0;
  let waiting: KeptRefusal[] = [];

  const take = (): KeptRefusal[] => {
    const taken = rowsOf([...groups.known.values(), ...groups.unknown.values()]);
    groups.known.clear();
    groups.unknown.clear();
    rows = 0;
    return taken;
  };

  return {
    add: (refusal) => {
      const { installationId, host, at, check, reason } = refusal;
      const kind = installationId === null ? 'unknown' : 'known';
      const of = groups[kind];
      const key = `${String(Math.floor(at / MINUTE_MS))} ${check} ${reason} ${installationId ?? host}`;
      const group = of.get(key);
      if (group) {
        if (group.kept.length >= MAX_KEPT || rows >= MAX_ROWS) group.leftOut += 1;
        else {
          group.kept.push(refusal);
          rows += 1;
        }
      } else if (of.size >= MAX_GROUPS[kind] || rows >= MAX_ROWS) onLost(1);
      else {
        of.set(key, { kept: [refusal], leftOut: 0 });
        rows += 1;
      }
    },
    flush: async () => {
      const batch = waiting.length > 0 ? waiting : take();
      waiting = [];
      await writeByStore(batch, {
        write: (own) => requestLog.write(own),
        onFailed: (own, error) => {
          if (error instanceof DatabaseUnavailable) waiting.push(...own);
          else onLost(own.reduce((sum, { leftOut }) => sum + 1 + leftOut, 0));
        },
      });
    },
  };
};
