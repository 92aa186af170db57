import { NO_STORE, type Located, type Locator } from '../../src/domain/ports/locator.ts';
import { installRequestsOf } from './identity/install-requests.ts';
import { installationsOf, storesOf } from './identity/identity-tables.ts';
import { refusalsOf } from './insight/request-log.ts';
import { importsOf } from './media/media-import-tables.ts';
import type { MemoryState } from './state.ts';
import { deliveriesOf, subscriptionsOf } from './webhooks/delivery-tables.ts';
import { redeliveriesOf } from './webhooks/redelivery-repository.ts';

type Rows = ReadonlyMap<string, { readonly storeId: string | null }>;

const ROWS: Readonly<Record<Located, (state: MemoryState) => Rows>> = {
  delivery: deliveriesOf,
  'install-request': (state) => new Map([...installRequestsOf(state).values()].map((row) => [row.id, row])),
  installation: installationsOf,
  'media-import': importsOf,
  redelivery: redeliveriesOf,
  request: refusalsOf,
  store: (state) => new Map([...storesOf(state).keys()].map((storeId) => [storeId, { storeId }])),
  subscription: subscriptionsOf,
};

export const locator = (state: MemoryState): Locator => ({
  storeOf: async (kind, id) => {
    const row = ROWS[kind](state).get(id);
    return row ? (row.storeId ?? NO_STORE) : null;
  },
});
