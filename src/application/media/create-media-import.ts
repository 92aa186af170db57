import type { Caller } from '../../domain/identity/caller.ts';
import { fullSandbox, MAX_SANDBOX_IMAGES } from '../../domain/identity/sandbox.ts';
import { parseItems, type ItemInput } from '../../domain/media/import-request.ts';
import { importView, type ImportView } from '../../domain/media/media-import.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { ok, type Result } from '../../domain/result.ts';

/**
 * Creates an import in the transaction of its idempotency key: a replay returns the same import,
 * and nothing is imported twice. The work begins after the commit.
 */
export const createMediaImport =
  ({ ids }: Pick<Ports, 'ids'>) =>
  async (
    tx: TransactionPorts,
    caller: Caller,
    input: readonly ItemInput[],
  ): Promise<Result<ImportView, 'invalid' | 'conflict'>> => {
    const parsed = parseItems(input);
    if (!parsed.ok) return parsed;
    const { storeId, installationId } = caller;
    const room = await tx.sandboxRoom.forImages(storeId);
    if (room !== null && parsed.value.length > room) return fullSandbox('images', MAX_SANDBOX_IMAGES);
    const owned = { id: ids.next(), storeId, installationId };
    const items = parsed.value.map((item) => ({ ...item, mediaId: ids.next() }));
    await tx.mediaImports.create({ ...owned, items });
    const pending = { status: 'Pending', errorCode: null, error: null, retryAt: null, retryReason: null } as const;
    const states = items.map(({ mediaId }, index) => ({ ...pending, index, mediaId }));
    return ok(importView({ id: owned.id, status: 'Queued', items: states }));
  };
