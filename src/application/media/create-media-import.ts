import type { Caller } from '../../domain/identity/caller.ts';
import { importView, parseItems } from '../../domain/media/media-import.ts';
import type { ImportView, ItemInput } from '../../domain/media/media-import.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

/** Takes an import on, in the transaction of its idempotency key: a replay answers this one, and nothing is imported twice. The work begins after the commit. */
export const createMediaImport =
  ({ ids }: Pick<Ports, 'ids'>) =>
  async (tx: TransactionPorts, caller: Caller, input: readonly ItemInput[]): Promise<Result<ImportView, 'invalid'>> => {
    const parsed = parseItems(input);
    if ('fault' in parsed) return refuse('invalid', parsed.fault);
    const { storeId, installationId } = caller;
    const owned = { id: ids.next(), storeId, installationId };
    const items = parsed.value.map((item) => ({ ...item, mediaId: ids.next() }));
    await tx.mediaImports.create({ ...owned, items });
    const pending = { status: 'Pending', errorCode: null, error: null } as const;
    const states = items.map(({ mediaId }, index) => ({ ...pending, index, mediaId }));
    return ok(importView({ ...owned, status: 'Queued', items: states }));
  };
