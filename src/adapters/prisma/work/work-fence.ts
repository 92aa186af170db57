import type { WorkFence, WorkHold, Holdable } from '../../../domain/ports/work-fence.ts';
import { gateOf, lockOf } from './work-gate.ts';
import type { TellHolders } from './work-gate.ts';
import { openSignals } from './signals.ts';
import type { Signals } from './signals.ts';

export interface WorkFenceOptions {
  readonly url: string;
  /** Told when the connection is lost, and every hold with it. The next hold connects anew. */
  readonly onError?: (error: Error) => void;
}

/** Begun or taken by this process. `gates`: those it stands under, known before they are tried. */
interface Held {
  /** In `holds`: made once, for it is looked up at every attempt. */
  readonly key: string;
  readonly of: Holdable;
  readonly id: string;
  gates: readonly string[];
  readonly stop: AbortController;
}

/** The lock lives with the connection. A lock of a session's own is granted again, so the process must not ask twice: see `holds`. */
const TAKE: Readonly<Record<Holdable, string>> = {
  deliveries: `SELECT store_id AS "storeId", installation_id AS "installationId", pg_try_advisory_lock(${lockOf('deliveries', 'id')}) AS taken
    FROM subscriptions WHERE id = $1`,
  imports: `SELECT store_id AS "storeId", id AS "installationId", pg_try_advisory_lock(${lockOf('imports', 'id')}) AS taken
    FROM installations WHERE id = $1`,
};
const PASS = `SELECT bool_and(pg_try_advisory_xact_lock_shared(hashtextextended('gate/' || gate, 0))) AS open FROM unnest($1::text[]) AS gate`;
const LEAVE: Readonly<Record<Holdable, string>> = {
  deliveries: `SELECT pg_advisory_unlock(${lockOf('deliveries', '$1::uuid')})`,
  imports: `SELECT pg_advisory_unlock(${lockOf('imports', '$1::uuid')})`,
};

/** The holds of this process, over one connection that is opened at the first. `tell` is for stopWork. */
export const createWorkFence = ({ url, onError }: WorkFenceOptions): WorkFence & { readonly tell: TellHolders } => {
  const holds = new Map<string, Held>();
  let signals: Promise<Signals> | null = null;
  let closed = false;

  const stopWhere = (applies: (held: Held) => boolean): void => {
    for (const held of holds.values()) if (applies(held)) held.stop.abort();
  };

  const connected = (): Promise<Signals> => {
    if (closed) return Promise.reject(new Error('the fence is closed'));
    signals ??= openSignals({
      url,
      onStop: (gate) => {
        stopWhere(({ gates }) => gates.includes(gate));
      },
      onEnd: (error) => {
        signals = null;
        stopWhere(() => true);
        holds.clear();
        if (error) onError?.(error);
      },
    }).catch((error: unknown) => {
      signals = null;
      throw error;
    });
    return signals;
  };

  const forget = (held: Held): void => {
    if (holds.get(held.key) === held) holds.delete(held.key);
  };

  /** False: another has it, a gate is shut, or it is gone; then nothing stays locked. The order is what stopWork relies on. */
  const take = async (session: Signals, held: Held): Promise<boolean> => {
    const { of, id } = held;
    const [row] = await session.query<{ storeId: string; installationId: string | null; taken: boolean }>(TAKE[of], [id]);
    if (!row?.taken) return false;
    const own = of === 'deliveries' ? [gateOf('subscription', id)] : [];
    const owner = row.installationId === null ? [] : [gateOf('installation', row.installationId)];
    held.gates = [...own, ...owner, gateOf('store', row.storeId)];
    const [gates] = await session.query<{ open: boolean }>(PASS, [held.gates]);
    if (gates?.open && !held.stop.signal.aborted) return true;
    await session.query(LEAVE[of], [id]);
    return false;
  };

  const holdOf = (session: Signals, held: Held): WorkHold => {
    const isMine = (): boolean => holds.get(held.key) === held && !held.stop.signal.aborted;
    return {
      signal: held.stop.signal,
      // A process that was stopped for a while finds its connection ended, or hears here what it missed.
      mayBegin: () => (isMine() && !session.isFresh() ? session.query('SELECT').then(isMine, isMine) : isMine()),
      release: async () => {
        if (holds.get(held.key) !== held) return;
        // When it fails the connection has ended, and with it the hold.
        await session.query(LEAVE[held.of], [held.id]).catch(() => undefined);
        forget(held);
      },
    };
  };

  return {
    hold: async (id, of = 'deliveries') => {
      const held: Held = { key: `${of}/${id}`, of, id, gates: [], stop: new AbortController() };
      if (holds.has(held.key)) return null;
      holds.set(held.key, held);
      let taken = false;
      try {
        const session = await connected();
        taken = await take(session, held);
        return taken ? holdOf(session, held) : null;
      } finally {
        if (!taken) forget(held);
      }
    },
    tell: async (gate) => {
      try {
        await (await connected()).stop(gate);
      } catch (error) {
        // Unheard, the holders are waited for and then cut off: slower, but no less certain.
        onError?.(error instanceof Error ? error : new Error(String(error)));
      }
    },
    close: async () => {
      closed = true;
      await (await signals)?.close();
    },
  };
};
