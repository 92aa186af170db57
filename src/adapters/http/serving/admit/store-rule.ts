import type { Located } from '../../../../domain/ports/locator.ts';
import type { StoreAccess } from '../../handler.ts';

/** What the parameters of admin paths name, by which the store of the request is found, and what an unknown one is called. */
const LOCATED: Readonly<Record<string, { readonly kind: Located; readonly thing: string }>> = {
  installationId: { kind: 'installation', thing: 'Installation' },
  installRequestId: { kind: 'install-request', thing: 'Install request' },
  subscriptionId: { kind: 'subscription', thing: 'Subscription' },
  deliveryId: { kind: 'delivery', thing: 'Delivery' },
  redeliveryId: { kind: 'redelivery', thing: 'Redelivery' },
  importId: { kind: 'media-import', thing: 'Media import' },
  requestId: { kind: 'request', thing: 'Refused request' },
};

export type StoreRule =
  { readonly by: 'store' | Located; readonly parameter: string; readonly thing: string } | { readonly by: StoreAccess };

/**
 * How the store of a request is found, so that an operator of other stores is refused. A route whose
 * path names nothing of one store needs all stores, unless it declares that it shows only what the
 * operator reaches.
 */
export const storeRuleOf = (path: string, declared: StoreAccess | null): StoreRule => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.includes('storeId')) return { by: 'store', parameter: 'storeId', thing: 'Store' };
  const parameter = names.find((name) => name in LOCATED);
  const located = parameter === undefined ? undefined : LOCATED[parameter];
  if (parameter !== undefined && located) return { by: located.kind, parameter, thing: located.thing };
  return { by: declared ?? 'all' };
};
