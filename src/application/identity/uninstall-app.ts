import { importEvents } from '../../domain/media/media-import.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { noInstallation } from './installation-refusals.ts';

/** Again is fine and does nothing. Its imports end. The merchant's subscriptions hear of it all; the app itself has none left that could. */
export const uninstallApp =
  ({ transaction }: Pick<Ports, 'transaction'>) =>
  (id: string): Promise<Result<null, 'not_found'>> =>
    transaction.run(async (tx) => {
      const removed = await tx.installations.uninstall(id);
      if (!removed) return noInstallation();
      const { installation, changed } = removed;
      if (changed) {
        const data = { id, name: installation.name };
        const imports = await tx.mediaImports.endAll(id);
        await tx.events.append([
          ...imports.flatMap(importEvents),
          { storeId: installation.storeId, type: 'app.uninstalled', resourceId: id, origin: null, data },
        ]);
      }
      return ok(null);
    });
