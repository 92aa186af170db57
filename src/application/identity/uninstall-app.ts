import type { Cause } from '../../domain/cause.ts';
import { importEvents } from '../../domain/media/import-events.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';

/**
 * Uninstalls the app and ends its imports. Only the merchant's subscriptions get the events,
 * because the app's are removed. Repeating it does nothing.
 */
export const uninstallApp =
  ({ locator, stores, transaction }: Pick<Ports, 'locator' | 'stores' | 'transaction'>) =>
  (cause: Cause, id: string): Promise<Result<null, 'not_found'>> =>
    inItsStore({ locator })(id, async (storeId) => {
      const store = await stores.get(storeId);
      if (store === null) return notFound('Installation');
      return transaction.run(cause, async (tx) => {
        const removed = await tx.installations.uninstall(storeId, id);
        if (!removed) return notFound('Installation');
        const { installation, changed } = removed;
        if (changed) {
          const data = { id, name: installation.name, domain: store.domain };
          const imports = await tx.mediaImports.endAll({ storeId, installationId: id });
          await tx.events.append([
            ...imports.flatMap(importEvents),
            { storeId, type: 'app.uninstalled', resourceId: id, origin: null, data },
          ]);
        }
        return ok(null);
      });
    });
