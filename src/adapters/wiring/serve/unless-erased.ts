import type { Application } from '../../../application/index.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { MediaStorage } from '../../../domain/ports/media/media-storage.ts';
import { eraseStoreRoute } from '../../http/identity/stores.ts';
import type { Admit } from '../../http/serving/context.ts';
import { refuseErased } from '../../http/serving/admit/refuse-erased.ts';
import { atMostEvery } from '../../node/at-most-every.ts';
import { withTimeout } from '../../startup/deadline.ts';

/** Admits to the routes of a store only until it is erased. */
export const unlessErased = (admit: Admit, { isBeingErased }: Pick<Application, 'isBeingErased'>): Admit =>
  refuseErased(admit, isBeingErased, [eraseStoreRoute]);

/** Period of the looks for erased stores: an image costs no statement of its own. */
const LOOK_EVERY_MS = 1_000;

/** Once a look has taken this long, no image waits for it any more. */
const PATIENCE_MS = 250;

/**
 * The storage without the files of stores that are being erased, which are removed later. Each answer
 * is by a look of the last second. While the database does not answer, what was known before counts.
 */
export const filesUnlessErased = ({
  mediaStorage: storage,
  storeErasure,
}: Pick<Ports, 'mediaStorage' | 'storeErasure'>): MediaStorage => {
  let known: readonly string[] = [];
  let endedOrLate = Promise.resolve();
  const look = atMostEvery(LOOK_EVERY_MS, () => {
    const looking = storeErasure.open().then(
      (open) => {
        known = open;
      },
      () => undefined,
    );
    endedOrLate = withTimeout(PATIENCE_MS, looking, () => undefined);
    return looking;
  });
  const isErased = async (key: string): Promise<boolean> => {
    void look();
    await endedOrLate;
    return known.some((storeId) => key.startsWith(`${storeId}/`));
  };
  return {
    ...storage,
    size: async (key) => ((await isErased(key)) ? null : storage.size(key)),
    read: async (key, range) => ((await isErased(key)) ? null : storage.read(key, range)),
  };
};
