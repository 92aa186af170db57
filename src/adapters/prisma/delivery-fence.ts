import type { DeliveryFence, DeliveryHold } from '../../domain/ports/delivery-fence.ts';
import { gateOf } from './delivery-gate.ts';
import type { TellHolders } from './delivery-gate.ts';
import { openSignals } from './signals.ts';
import type { Signals } from './signals.ts';

export interface DeliveryFenceOptions {
  readonly url: string;
  /** Told when the connection is lost, and every hold with it. The next hold connects anew. */
  readonly onError?: (error: Error) => void;
}

/** Begun or taken by this process. `gates`: those it stands under, known before they are tried. */
interface Held {
  gates: readonly string[];
  readonly stop: AbortController;
}

/** The lock lives with the connection. A lock of a session's own is granted again, so the process must not ask twice: see `holds`. */
const TAKE = `SELECT store_id AS "storeId", installation_id AS "installationId",
  pg_try_advisory_lock(hashtextextended('delivery/' || id, 0)) AS taken FROM subscriptions WHERE id = $1`;
const PASS = `SELECT bool_and(pg_try_advisory_xact_lock_shared(hashtextextended('gate/' || gate, 0))) AS open FROM unnest($1::text[]) AS gate`;
const LEAVE = "SELECT pg_advisory_unlock(hashtextextended('delivery/' || $1::uuid, 0))";

/** The holds of this process, over one connection that is opened at the first. `tell` is for stopDeliveries. */
export const createDeliveryFence = ({ url, onError }: DeliveryFenceOptions): DeliveryFence & { readonly tell: TellHolders } => {
  const holds = new Map<string, Held>();
  let signals: Promise<Signals> | null = null;
  let closed = false;

  const stopWhere = (applies: (held: Held) => boolean): void => {
    for (const held of holds.values()) if (applies(held)) held.stop.abort();
  };

  const connected = (): Promise<Signals> => {
    if (closed) return Promise.reject(new Error('the delivery fence is closed'));
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

  const forget = (subscriptionId: string, held: Held): void => {
    if (holds.get(subscriptionId) === held) holds.delete(subscriptionId);
  };

  /** False: another has it, a gate is shut, or it is gone; then nothing stays locked. The order is what stopDeliveries relies on. */
  const take = async (session: Signals, subscriptionId: string, held: Held): Promise<boolean> => {
    const [row] = await session.query<{ storeId: string; installationId: string | null; taken: boolean }>(TAKE, [subscriptionId]);
    if (!row?.taken) return false;
    const owner = row.installationId === null ? [] : [gateOf('installation', row.installationId)];
    held.gates = [gateOf('subscription', subscriptionId), ...owner, gateOf('store', row.storeId)];
    const [gates] = await session.query<{ open: boolean }>(PASS, [held.gates]);
    if (gates?.open && !held.stop.signal.aborted) return true;
    await session.query(LEAVE, [subscriptionId]);
    return false;
  };

  const holdOf = (session: Signals, subscriptionId: string, held: Held): DeliveryHold => {
    const isMine = (): boolean => holds.get(subscriptionId) === held && !held.stop.signal.aborted;
    return {
      signal: held.stop.signal,
      mayBegin: async () => {
        // A process that was stopped for a while finds its connection ended, or hears here what it missed.
        if (isMine() && !session.isFresh()) await session.query('SELECT').catch(() => undefined);
        return isMine();
      },
      release: async () => {
        if (holds.get(subscriptionId) !== held) return;
        // When it fails the connection has ended, and with it the hold.
        await session.query(LEAVE, [subscriptionId]).catch(() => undefined);
        forget(subscriptionId, held);
      },
    };
  };

  return {
    hold: async (subscriptionId) => {
      if (holds.has(subscriptionId)) return null;
      const held: Held = { gates: [], stop: new AbortController() };
      holds.set(subscriptionId, held);
      let taken = false;
      try {
        const session = await connected();
        taken = await take(session, subscriptionId, held);
        return taken ? holdOf(session, subscriptionId, held) : null;
      } finally {
        if (!taken) forget(subscriptionId, held);
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
