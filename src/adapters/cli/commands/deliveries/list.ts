import { DELIVERY_STATUSES } from '../../../../domain/webhooks/delivery.ts';
import { WHY_WAITING } from '../../../../domain/webhooks/why-waiting.ts';
import type { Delivery } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { findScope, type ScopeFlags } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { watchLive } from '../../admin/live.ts';
import { eventId, subscriptionId } from '../../admin/short-id.ts';
import { adminCommand } from '../../command.ts';
import { eventIds, subscriptionIds } from '../../completions.ts';
import { choiceFlag, APP_FLAG, STORE_FLAG, textFlag, timeFlag, LIMIT_FLAG, WIDE_FLAG, switchFlag } from '../../flags.ts';
import { timeOfDay } from '../../output/time.ts';

type OfDelivery = Pick<Delivery, 'receiver'>;

/** Name of the receiver, also after its subscription is deleted. */
export const receiverText = ({ receiver }: OfDelivery): string => receiver.name ?? 'deleted subscription';

/** The app that subscribed, or the merchant. */
export const ownerText = ({ receiver }: OfDelivery): string => receiver.owner ?? 'merchant';

/** Reason for the last failure: the status itself, where the receiver answered. */
export const errorText = (error: Delivery['error'], status: number | null): string =>
  error?.startsWith('http_') === true && status !== null ? `http ${String(status)}` : (error ?? '');

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

interface FoundFilter {
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

export const listDeliveries = adminCommand({
  docs: {
    brief: 'List deliveries, newest first',
    examples: [
      'tenon deliveries list --status Failed,Retrying --since 1h',
      'tenon deliveries list --app "Stock sync" --json | jq -r .id',
    ],
  },
  flags: { ...DELIVERY_FILTER_FLAGS, limit: LIMIT_FLAG, ...WIDE_FLAG },
  run: async ({ api, print }, { limit, wide: _wide, ...flags }) => {
    const { storeId, filter } = await deliveryFilter(api, flags);
    print.list(await firstItems<Delivery>(api, `/stores/${storeId}/deliveries`, filter, limit), [
      { name: 'id', of: ({ id }) => id, kind: 'id' },
      { name: 'created', of: ({ createdAt }) => createdAt, kind: 'time' },
      { name: 'type', of: ({ eventType }) => eventType, least: 15 },
      { name: 'status', of: ({ status }) => status },
      { name: 'receiver', of: receiverText, least: 28, isCutWithin: true },
      { name: 'owner', of: ownerText, drop: 1 },
      { name: 'attempts', of: ({ attempts }) => attempts, align: 'right', drop: 2 },
      { name: 'error', of: ({ error, responseStatus }) => errorText(error, responseStatus), drop: 5 },
      { name: 'waits for', of: ({ waitingBecause }) => waitingBecause && WHY_WAITING[waitingBecause].name, drop: 4 },
      { name: 'next attempt', of: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time', drop: 3 },
    ]);
  },
});

const COLOURS = { delivered: 'green', retry: 'yellow', failed: 'red' } as const;

export const tailDeliveries = adminCommand({
  docs: {
    brief: 'Watch delivery attempts as they happen',
    about: 'Starts now and runs until Ctrl-C.',
    examples: ['tenon deliveries tail --failed'],
  },
  flags: { store: STORE_FLAG, app: APP_FLAG, failed: switchFlag('Only failed attempts') },
  run: async ({ api, print, context }, { failed, ...scope }) => {
    const { storeId, installationId } = await findScope(api, scope);
    for await (const frame of watchLive(api, storeId, { signal: context.interrupted(), say: print.say })) {
      if (frame.kind !== 'attempt' || (failed === true && frame.outcome === 'delivered')) continue;
      if (installationId !== undefined && frame.installationId !== installationId) continue;
      print.line(frame, [
        timeOfDay(frame.at),
        { text: frame.outcome.padEnd(9), style: COLOURS[frame.outcome] },
        frame.status ?? frame.error,
        `${String(frame.durationMs)} ms`,
        frame.eventType,
        frame.deliveryId,
      ]);
    }
  },
});
