import type { Request } from 'express';

import type { Located } from '../../domain/ports/locator.ts';
import { parseUuid } from '../../domain/values/uuid.ts';

/** Parameters of admin paths, by which the store of the request is found, with the name of an unknown thing. */
const LOCATED: Readonly<Record<string, { readonly by: Located; readonly thing: string }>> = {
  storeId: { by: 'store', thing: 'Store' },
  installationId: { by: 'installation', thing: 'Installation' },
  subscriptionId: { by: 'subscription', thing: 'Subscription' },
  deliveryId: { by: 'delivery', thing: 'Delivery' },
  installRequestId: { by: 'install-request', thing: 'Install request' },
  redeliveryId: { by: 'redelivery', thing: 'Redelivery' },
  importId: { by: 'media-import', thing: 'Media import' },
  requestId: { by: 'request', thing: 'Refused request' },
};

/** An admin route whose path names no store needs all of them, or shows only what the operator reaches. */
export type StoreAccess = 'all' | 'own';

export type StoreRule =
  { readonly by: Located; readonly parameter: string; readonly thing: string } | { readonly by: StoreAccess };

/** The id in the path by which the store is found; null for a text that is nothing of any store. */
export const locatedId = (rule: Extract<StoreRule, { parameter: string }>, params: Request['params']): string | null => {
  const text = params[rule.parameter];
  if (typeof text !== 'string') return null;
  return rule.by === 'install-request' ? text : parseUuid(text);
};

/**
 * Rule by which the store of a request is found, so that an operator of other stores is refused: by
 * the first name in the path that belongs to a store. A route without such a name needs all stores,
 * unless it declares that it shows only what the operator reaches.
 */
export const storeRuleOf = (path: string, declared: StoreAccess | null): StoreRule => {
  for (const [, parameter = ''] of path.matchAll(/:(\w+)/g)) {
    const located = LOCATED[parameter];
    if (located) return { ...located, parameter };
  }
  return { by: declared ?? 'all' };
};

/** Access of what concerns everybody: the owner's alone. */
export const OWNERS = { needs: 'owner', stores: 'all' } as const;
