import { id, int64, text, time } from '../fields/kinds.ts';
import { part, resource, type Resource } from '../fields/record.ts';
import { EXAMPLE_TIME } from '../fields/standard-fields.ts';
import { DELIVERY_ERRORS, DELIVERY_STATUSES, WAITING_REASONS } from './delivery.ts';
import { SUBSCRIBABLE_TYPES } from './event.ts';

export const DELIVERED_TYPES = [...SUBSCRIBABLE_TYPES, 'ping'] as const;

const RECEIVER = part({
  name: text({
    orNull: true,
    example: 'Catalogue sync',
    about: 'The description of the subscription, or the host and path of its URL.',
  }),
  url: text({ orNull: true, example: 'https://hooks.example.com/tenon' }),
  owner: text({
    orNull: true,
    example: 'Price sync',
    about: 'The name of the app that subscribed. Null is the merchant.',
  }),
});

export const DELIVERY = resource('Delivery', {
  id: id({ example: 61 }),
  storeId: id({ example: 99 }),
  eventId: id({ example: 60 }),
  eventType: text({ values: DELIVERED_TYPES, example: 'order.paid' }),
  resourceId: text({ orNull: true, example: 'order-1001', about: 'The id of the resource that the event is about.' }),
  requestId: id({
    orNull: true,
    example: 62,
    about: 'The X-Request-Id of the request that caused the event. Null if it is unknown.',
  }),
  subscriptionId: id({ example: 40 }),
  installationId: id({ orNull: true, example: 30 }),
  receiver: { ...RECEIVER, about: 'To whom it goes. Without a name and a URL if the subscription was removed.' },
  gathered: int64({
    orNull: true,
    about: 'How many events it has, its own included, which is the newest. Null if its subscription does not gather this type.',
  }),
  status: text({
    values: DELIVERY_STATUSES,
    example: 'Delivered',
    about:
      'Waiting: not sent yet, or kept from being sent, see `waitingBecause`. Retrying: the last attempt failed, the next one is at `nextAttemptAt`. Failed: no attempts remain. Dropped: subscription deleted, app uninstalled or scope lost.',
  }),
  waitingBecause: text({
    orNull: true,
    values: WAITING_REASONS,
    about:
      'Why it is Waiting. `paused_by_merchant`: until the merchant resumes the subscription. `paused_after_failures`: 10 attempts at the subscription failed in a row, and only probes are sent. `queued`: it is sent as soon as it is its turn.',
  }),
  attempts: int64({ example: 1, about: 'The number of attempts so far, including redeliveries.' }),
  responseStatus: int64({
    orNull: true,
    example: 200,
    about: 'The status of the last response. Null if the last attempt got none.',
  }),
  responseMs: int64({ orNull: true, example: 43, about: 'The duration of the last attempt. Null before the first.' }),
  error: text({
    orNull: true,
    values: DELIVERY_ERRORS,
    about:
      'Why the last attempt failed: an error, or the class of the status. Without a failed attempt: `expired` (waited for too long), `deactivated` (with its subscription) or `dropped`.',
  }),
  nextAttemptAt: time({ orNull: true }),
  createdAt: time({ example: EXAMPLE_TIME }),
  updatedAt: time({ orNull: true, example: EXAMPLE_TIME }),
});
export type Delivery = Resource<typeof DELIVERY>;
