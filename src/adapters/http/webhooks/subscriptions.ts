import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { BREAKER_STATES, DEACTIVATION_REASONS, OBSTACLES } from '../../../domain/webhooks/deliverability.ts';
import { EVENT_TYPES, SUBSCRIBABLE_TYPES } from '../../../domain/webhooks/event.ts';
import { MAX_EVENT_TYPES } from '../../../domain/webhooks/subscription.ts';
import { listOf } from '../kit/bounded.ts';
import { CREDENTIAL_EXAMPLES, exampleId, EXAMPLE_TIME } from '../kit/example-record.ts';
import { isDryRun, uuidField } from '../kit/fields.ts';
import { figureRangeQuery, figuresAnswer } from '../kit/figures.ts';
import { namesBusy } from '../kit/names-busy.ts';
import { searched, listPaging, asListQuery, listOfItems, asListPage } from '../kit/page.ts';
import { route } from '../route.ts';
import { attemptNow, attemptAnswer } from './attempt-now.ts';
import { oneAtATime } from './dry-run-place.ts';
import { receiverFigures } from './receiver-figures.ts';
import { dryRun, optionFields, shownOptions, creationQuery } from './subscription-options.ts';

export const subscriptionRequest = z
  .object({
    url: z.string().meta({
      description: 'An absolute https URL of at most 2048 characters, without credentials and without a private address.',
    }),
    eventTypes: listOf(z.string(), { max: MAX_EVENT_TYPES })
      .readonly()
      .meta({ description: `At least one type, case-insensitive. Known types: ${EVENT_TYPES.join(', ')}.` }),
    description: z.string().nullish().meta({ description: 'At most 256 characters.' }),
    ...optionFields,
    replaces: uuidField.optional().meta({
      description:
        'A subscription of the same owner, which ends with this request. Its waiting deliveries move over, so that none is lost or sent twice.',
    }),
  })
  .meta({
    id: 'WebhookSubscriptionRequest',
    description: 'Do not send a secret: deliveries to an app are signed with the signing secret of its installation.',
    examples: [{ url: 'https://hooks.example.com/tenon', eventTypes: ['product.updated'], description: 'Catalogue sync' }],
  });

const subscriptionEdit = z
  .object({
    url: subscriptionRequest.shape.url.optional(),
    eventTypes: subscriptionRequest.shape.eventTypes.optional(),
    description: subscriptionRequest.shape.description.meta({ description: 'At most 256 characters. null removes it.' }),
    ...optionFields,
  })
  .meta({
    id: 'WebhookSubscriptionEdit',
    description: 'Omitted fields do not change.',
    examples: [{ url: 'https://hooks.example.com/tenon/v2' }],
  });

const subscription = z.object({
  id: z.guid(),
  url: z.string(),
  description: z.string().nullable(),
  eventTypes: z.array(z.enum(SUBSCRIBABLE_TYPES)).readonly(),
  isActive: z.boolean(),
  hasSigningSecret: z.boolean().meta({ description: 'The secret itself is never returned.' }),
  isDeliverable: z.boolean().meta({
    description:
      'True if the subscription, its app and its store are active, a signing secret exists, the scopes cover every event type, the merchant does not pause it, and the circuit breaker is closed.',
  }),
  ...shownOptions,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
  installationId: z.guid().nullable(),
});

const example = {
  id: exampleId(40),
  url: 'https://hooks.example.com/tenon',
  description: 'Catalogue sync',
  eventTypes: ['product.updated'],
  isActive: true,
  hasSigningSecret: true,
  isDeliverable: true,
  filter: { all: [{ path: 'changedFields', op: 'eq', value: 'name' }, { origin: 'not_self' }] },
  fields: ['changedFields', 'current.name'],
  order: null,
  gather: null,
  include: null,
  createdAt: EXAMPLE_TIME,
  updatedAt: null,
  installationId: exampleId(30),
};

export const subscriptionResponse = subscription.meta({ id: 'WebhookSubscription', examples: [example] });

export const subscriptionList = z
  .array(subscriptionResponse)
  .readonly()
  .meta({ examples: [[example]] });

const health = z.object({
  breaker: z.enum(BREAKER_STATES).meta({
    description:
      'The circuit breaker. Open: nothing is sent after 10 consecutive failures. Probing: one attempt is allowed, and its success closes the breaker.',
  }),
  failingSince: z.iso.datetime().nullable().meta({ description: 'The first failure since the last success.' }),
  nextProbeAt: z.iso.datetime().nullable(),
  deactivatesAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the subscription will be deactivated, unless an attempt succeeds first.' }),
  pausedAt: z.iso.datetime().nullable().meta({ description: 'Since when the merchant pauses it.' }),
  deactivatedAt: z.iso.datetime().nullable(),
  deactivatedBecause: z
    .enum(DEACTIVATION_REASONS)
    .nullable()
    .meta({ description: 'Why it was deactivated: a response with the status 410, or 120 hours without a success.' }),
  notDeliverableBecause: z
    .array(z.enum(OBSTACLES))
    .readonly()
    .meta({ description: 'Why nothing is sent to the subscription. Empty if it is deliverable.' }),
});

const platformAppId = z.guid().nullable().meta({
  description: 'The platform app whose event address on this store it is. It cannot be edited, paused or deleted here.',
});

const healthExample = {
  breaker: 'closed',
  failingSince: null,
  nextProbeAt: null,
  deactivatesAt: null,
  pausedAt: null,
  deactivatedAt: null,
  deactivatedBecause: null,
  notDeliverableBecause: [],
};

export const watchedSubscription = subscription
  .extend({ platformAppId, health })
  .meta({ id: 'WatchedSubscription', examples: [{ ...example, platformAppId: null, health: healthExample }] });

const ownWatch = { q: searched('their URL, description or id'), ...listPaging };

export const ownWatchQuery = z.object(ownWatch).transform(asListQuery);

const watchQuery = z
  .object({
    ...ownWatch,
    installationId: uuidField.optional().meta({ description: 'Only subscriptions of this app.' }),
  })
  .transform(asListQuery);

const merchantExample = { ...example, installationId: null, signingSecret: CREDENTIAL_EXAMPLES.signingSecret };

export const merchantSubscriptionResponse = subscription
  .extend({ signingSecret: z.string().meta({ description: '`whsec_` followed by base64. Shown only once.' }) })
  .meta({
    id: 'MerchantWebhookSubscription',
    description: 'A subscription of the merchant. Apps cannot see it.',
    examples: [merchantExample],
  });

/** The answer to a creation, or to one that is only tried. */
export const creationResponse = subscriptionResponse.or(dryRun).meta({ examples: [example] });
const merchantCreationResponse = merchantSubscriptionResponse.or(dryRun).meta({ examples: [merchantExample] });

const path = '/admin/stores/:storeId/webhooks/subscriptions';

const keyOf = ({ storeId, id }: { readonly storeId: string; readonly id: string }) => ({ storeId, subscriptionId: id });

/** The merchant's own subscriptions: installationId null. Of the others, what the merchant may do with them. */
export const subscriptionRoutes = [
  route
    .post(path, 'createSubscription')
    .admin('Webhooks')
    .summary('Subscribe to events', 'Creates a merchant subscription. Its signing secret is shown once.')
    .query(creationQuery)
    .tries(isDryRun)
    .body(subscriptionRequest)
    .sendsTo('url')
    .returns(200, merchantCreationResponse)
    .refuses('invalid', 'not_found', 'conflict', 'rate_limited')
    .handle(async (app, { params: { storeId }, query, body, cause, context }) =>
      isDryRun(query)
        ? namesBusy(
            context,
            await app.tryOptions({ storeId, installationId: null, scopes: null }, body, oneAtATime(context, storeId)),
          )
        : namesBusy(context, await app.createMerchantSubscription(cause, storeId, body)),
    ),
  route
    .get(path, 'listMerchantSubscriptions')
    .admin('Webhooks')
    .summary("List the merchant's subscriptions", 'Oldest first.')
    .returns(200, subscriptionList)
    .refuses('not_found')
    .handle((app, { params }) => app.listSubscriptions({ storeId: params.storeId, installationId: null })),
  route
    .get('/admin/stores/:storeId/subscriptions', 'listSubscriptions')
    .admin('Webhooks')
    .summary(
      'List all subscriptions with their health',
      'Lists the subscriptions of the apps and of the merchant that match every filter, oldest first. `notDeliverableBecause` says why nothing is sent to a subscription.',
    )
    .query(watchQuery)
    .returns(200, listOfItems(watchedSubscription, 'WatchedSubscriptionPage'))
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query: { page, filter } }) => {
      const listed = await app.watchSubscriptions(params.storeId, page, filter);
      return listed.ok ? ok(asListPage(listed.value)) : listed;
    }),
  route
    .get(`${path}/:id`, 'getSubscription')
    .admin('Webhooks')
    .summary('Get a subscription with its health', 'Returns a subscription of the merchant or of an app.')
    .returns(200, watchedSubscription)
    .refuses('not_found')
    .handle((app, { params }) => app.getSubscription(params.storeId, params.id)),
  route
    .get(`${path}/:id/figures`, 'getSubscriptionFigures')
    .admin('Insight')
    .summary(
      'Get the figures of a subscription',
      'Returns the attempts over time with p50 and p95 of their duration, what the receiver answered, what waits and the last failure.',
    )
    .query(figureRangeQuery)
    .returns(200, receiverFigures)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const found = await app.getReceiverFigures(keyOf(params), query);
      return found.ok ? ok(figuresAnswer(found.value)) : found;
    }),
  route
    .patch(`${path}/:id`, 'updateSubscription')
    .admin('Webhooks')
    .summary(
      'Edit a subscription',
      'Keeps the id, the signing secret and the queued deliveries, which go to the new URL. The probe of an open breaker is due at once at a new URL. Returns 409 for the subscription of an app.',
    )
    .body(subscriptionEdit)
    .returns(200, watchedSubscription)
    .refuses('invalid', 'not_found', 'conflict', 'rate_limited')
    .handle(async (app, { params, body, context }) => namesBusy(context, await app.editSubscription(keyOf(params), body))),
  route
    .post(`${path}/:id/pause`, 'pauseSubscription')
    .admin('Webhooks')
    .summary(
      'Pause a subscription',
      'Nothing is sent to it after the answer, and its deliveries wait without losing an attempt. Also for the subscription of an app. Returns 409 if it is deactivated, or the event address of a platform app.',
    )
    .returns(200, watchedSubscription)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.pauseSubscription(keyOf(params))),
  route
    .post(`${path}/:id/resume`, 'resumeSubscription')
    .admin('Webhooks')
    .summary('Resume a subscription', 'Ends the pause: what waited is sent.')
    .returns(200, watchedSubscription)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.resumeSubscription(keyOf(params))),
  route
    .post(`${path}/:id/reactivate`, 'reactivateSubscription')
    .admin('Webhooks')
    .summary(
      'Reactivate a subscription',
      'Activates a deactivated subscription with its id, its signing secret and its history. Deliveries that ended stay as they are: you can send them again. Returns 409 while earlier deliveries are still being closed.',
    )
    .returns(200, watchedSubscription)
    .refuses('not_found', 'conflict')
    .handle((app, { params }) => app.reactivateSubscription(keyOf(params))),
  route
    .post(`${path}/:id/try`, 'trySubscription')
    .admin('Webhooks')
    .summary(
      'Try a receiver now',
      'Makes one attempt at the next due delivery, or at a `ping` when none waits, even while the circuit breaker is open, and returns its outcome. It counts as an attempt of the delivery. Its success closes the breaker and releases the others. Returns 409 if nothing may be sent, or while another attempt is being made.',
    )
    .returns(200, attemptNow)
    .refuses('not_found', 'conflict')
    .handle(async (app, { params, cause }) => {
      const made = await app.tryNow(cause, keyOf(params));
      return made.ok ? ok(attemptAnswer(made.value)) : made;
    }),
  route
    .delete(`${path}/:id`, 'deleteSubscription')
    .admin('Webhooks')
    .summary('Unsubscribe', 'Deletes the subscription and drops its queued deliveries.')
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params }) => app.deleteSubscription({ storeId: params.storeId, installationId: null }, params.id)),
];
