import { DELIVERY_STATUSES } from '../../../../domain/webhooks/delivery.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { findScope, type ScopeFlags } from '../../admin/find.ts';
import { eventIds, subscriptionIds } from '../../completions.ts';
import { eventId, subscriptionId } from '../../admin/short-id.ts';
import { choiceFlag, APP_FLAG, STORE_FLAG, textFlag, timeFlag } from '../../flags.ts';
import type { Delivery } from '../../../http/answers.ts';

export interface DeliveryFilterFlags extends ScopeFlags {
  readonly status?: readonly Delivery['status'][] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly subscription?: string | undefined;
  readonly event?: string | undefined;
  readonly resource?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export const DELIVERY_FILTER_FLAGS = {
  store: STORE_FLAG,
  app: APP_FLAG,
  status: { ...choiceFlag(DELIVERY_STATUSES, 'Only these statuses'), variadic: ',', optional: true },
  type: {
    kind: 'parsed',
    parse: String,
    variadic: ',',
    optional: true,
    placeholder: 'types',
    brief: 'Only these event types',
  },
  subscription: { ...textFlag('Only deliveries to this subscription', 'id'), proposeCompletions: subscriptionIds },
  event: { ...textFlag('Only deliveries of this event', 'id'), proposeCompletions: eventIds },
  resource: textFlag('Only events about this resource', 'id'),
  since: timeFlag('Created since'),
  until: timeFlag('Created before'),
} as const;

export interface FoundFilter {
  readonly storeId: string;
  readonly filter: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export const deliveryFilter = async (api: AdminApi, flags: DeliveryFilterFlags): Promise<FoundFilter> => {
  const { storeId, installationId } = await findScope(api, flags);
  const { status, type: types, subscription, event, resource: resourceId, since, until } = flags;
  const of = {
    subscriptionId: subscription && (await subscriptionId(api, subscription, storeId)),
    eventId: event && (await eventId(api, event, storeId)),
  };
  return { storeId, filter: { installationId, status, types, ...of, resourceId, since, until } };
};
