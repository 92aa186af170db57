import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

import type { Holdable } from '../../../domain/ports/work-fence.ts';
import type { Sql } from '../connection/sql.ts';

/** What can be stopped: a subscription stands under its own gate, its app's and its store's; imports stand under their app's and its store's. */
export type GateKind = 'subscription' | 'installation' | 'store';

/** Tells the holders of all nodes; may fail, then they are only waited for. */
export type TellHolders = (gate: string) => Promise<void>;

export const gateOf = (kind: GateKind, id: string): string => `${kind}/${id}`;

/** How long a holder has to end its attempts and to settle; it knows after three seconds at the latest that it can hear nothing. */
const STOP_MS = 5_000;
const LOOK_MS = 10;

const LOCKS: Readonly<Record<Holdable, string>> = { deliveries: 'delivery', imports: 'import' };

/** The key of a holder's lock, given SQL for the id. */
export const lockOf = (of: Holdable, id: string): string => `hashtextextended('${LOCKS[of]}/' || ${id}, 0)`;

/** Given SQL for the keys of the locks. */
const holdersOf = (keys: string): string => `
  SELECT DISTINCT l.pid FROM pg_locks l JOIN (${keys}) k ON k.key = ((l.classid::bigint << 32) | l.objid::bigint)
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const DELIVERIES = `SELECT ${lockOf('deliveries', 's.id')} AS key FROM subscriptions s WHERE`;
const IMPORTS = `SELECT ${lockOf('imports', 'i.id')} FROM installations i WHERE`;

const HOLDERS: Readonly<Record<GateKind, string>> = {
  subscription: holdersOf(`${DELIVERIES} s.id = $1`),
  installation: holdersOf(`${DELIVERIES} s.installation_id = $1 UNION ALL ${IMPORTS} i.id = $1`),
  store: holdersOf(`${DELIVERIES} s.store_id = $1 UNION ALL ${IMPORTS} i.store_id = $1`),
};

interface Stop {
  readonly tell?: TellHolders | undefined;
  /** Milliseconds before a holder that doesn't let go loses its connection, and all its holds. 5,000 unless told. */
  readonly limit?: number;
}

/** To the end of the transaction, for one transaction at a time. Nothing under it can be held anew. */
export const shutGate = async (sql: Sql, kind: GateKind, id: string): Promise<void> => {
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended('gate/' || $1, 0))", [gateOf(kind, id)]);
};

/**
 * Shuts the gate to the end of the transaction, has the holders under it stop, and waits until none is left: no attempt begins before
 * the transaction ends, nor after it by what was true before. To be called before anything is locked that a holder may need to end its
 * work (rows of subscriptions, deliveries and imports) or that fan-outs wait for.
 *
 * Why none slips through: a holder first takes its lock and then, in a statement of its own, tries the gates; a stopper first shuts the
 * gate and then, in a statement of its own, looks for locks. Whose second step comes after the other's first sees the other: either the
 * holder finds the gate shut and gives up, or the stopper finds the lock and waits. The gate opens when the commit is visible, and a
 * holder reads what it may send after it passed the gates.
 */
export const stopWork = async (sql: Sql, kind: GateKind, id: string, { tell, limit = STOP_MS }: Stop = {}): Promise<void> => {
  const gate = gateOf(kind, id);
  await shutGate(sql, kind, id);
  const areHeld = async (): Promise<boolean> => (await sql.query(HOLDERS[kind], [id])).length > 0;
  const areHeldAfter = async (milliseconds: number): Promise<boolean> => {
    const end = performance.now() + milliseconds;
    while (await areHeld()) {
      if (performance.now() >= end) return true;
      await pause(LOOK_MS);
    }
    return false;
  };

  if (!(await areHeld())) return;
  await tell?.(gate);
  if (!(await areHeldAfter(limit))) return;
  // A process that is stopped, or that can't be reached: with its connection go its locks, and it may begin nothing without them.
  await sql.query(`SELECT pg_terminate_backend(pid) FROM (${HOLDERS[kind]}) AS holders`, [id]);
  if (await areHeldAfter(limit)) throw new Error(`the holders of the work of ${gate} could not be stopped`);
};
