import type { DeliveryRepository } from '../../src/domain/ports/webhooks/delivery-repository.ts';
import type { MetaobjectRepository } from '../../src/domain/ports/custom-data/metaobject-repository.ts';
import type { SubscriptionRepository } from '../../src/domain/ports/webhooks/subscription-repository.ts';
import type { Transaction } from '../../src/domain/ports/transaction.ts';

const uuid = (end: number): string => `00000000-0000-4000-8000-${String(end).padStart(12, '0')}`;

/**
 * Two stores; `appA` and `otherA` are live on the first, `gone` was uninstalled there; `appB` is
 * live on the second, with no secret.
 */
export const ids = {
  storeA: uuid(1),
  storeB: uuid(2),
  appA: uuid(11),
  otherA: uuid(12),
  gone: uuid(13),
  appB: uuid(14),
  categoryA: uuid(21),
  deletedCategoryA: uuid(22),
  categoryB: uuid(23),
  nowhere: uuid(99),
};

export interface CustomDataWorld {
  readonly deliveries: DeliveryRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly metaobjects: MetaobjectRepository;
  readonly transaction: Transaction;
  readonly nextId: () => string;
  readonly close: () => Promise<void>;
}

export const stores = [ids.storeA, ids.storeB];
export const apps = [
  { id: ids.appA, storeId: ids.storeA, status: 'Installed', secret: true },
  { id: ids.otherA, storeId: ids.storeA, status: 'Installed', secret: true },
  { id: ids.gone, storeId: ids.storeA, status: 'Uninstalled', secret: false },
  { id: ids.appB, storeId: ids.storeB, status: 'Installed', secret: false },
] as const;
export const categories = [
  { id: ids.categoryA, storeId: ids.storeA, deletedAt: null },
  { id: ids.deletedCategoryA, storeId: ids.storeA, deletedAt: '2026-01-01T00:00:00.000Z' },
  { id: ids.categoryB, storeId: ids.storeB, deletedAt: null },
];
export const scopes = ['read_products'] as const;
export const at = '2026-01-01T00:00:00.000Z';
