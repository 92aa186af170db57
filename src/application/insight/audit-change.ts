import type { AuditAnswer, AuditAsked } from '../../domain/insight/audit.ts';
import { NO_STORE, type Located } from '../../domain/ports/locator.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { isoTime } from '../../domain/time.ts';

/**
 * Identifies the store of a change: its own id, or the id of something in it. Null for a change
 * outside stores.
 */
export type AuditedPlace = { readonly by: Located; readonly id: string } | null;

export interface AuditedChange {
  readonly operatorId: string | null;
  readonly place: AuditedPlace;
  readonly asked: AuditAsked;
}

/**
 * Records what is asked for before it is done, and returns what records its outcome. A server that
 * is killed in between leaves an entry without an outcome, and never a change without an entry.
 */
export const auditChange =
  ({ auditLog, clock, ids, locator }: Pick<Ports, 'auditLog' | 'clock' | 'ids' | 'locator'>) =>
  async ({ operatorId, place, asked }: AuditedChange): Promise<(answer: AuditAnswer) => Promise<void>> => {
    const storeId = (place && (await locator.storeOf(place.by, place.id))) ?? NO_STORE;
    const id = ids.next();
    const append = (own: string, answers: string | null, content: unknown): Promise<void> =>
      auditLog.append({ id: own, storeId, at: isoTime(clock.now()), operatorId, answers, content: JSON.stringify(content) });
    await append(id, null, asked);
    return (answer) => append(ids.next(), id, answer);
  };
