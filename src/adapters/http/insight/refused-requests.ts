import { z } from 'zod';

import { CHECKS, LOGGED_METHODS, LOGGED_REFUSAL } from '../../../domain/insight/refused-request.ts';
import { ok } from '../../../domain/result.ts';
import { EXAMPLE_TIME, exampleOf } from '../kit/example-record.ts';
import { millisecondsOf, timeField, uuidField } from '../kit/fields.ts';
import { placedItems, asPlacedItems, placePaging, fromOf } from '../kit/page.ts';
import { resourceOf } from '../kit/records.ts';
import { textOf } from '../kit/text.ts';
import { route } from '../route.ts';

export const refusedRequest = resourceOf(LOGGED_REFUSAL);
const example = exampleOf(LOGGED_REFUSAL);

export const refusedRequestPage = placedItems(refusedRequest, 'RefusedRequestPage');

export const refusedRequestGroups = z
  .object({
    items: z
      .array(
        z.object({
          newest: refusedRequest,
          count: z.int().meta({ description: 'How many there are, with those that the log omits.' }),
          since: z.iso.datetime().meta({ description: 'When the oldest of them was received.' }),
          trend: z.array(z.int()).readonly().meta({
            description: 'The same in 24 steps of time, from the oldest request of all groups to the newest.',
          }),
        }),
      )
      .readonly()
      .meta({ description: 'At most 250, those with the newest request first.' }),
    isComplete: z.boolean().meta({ description: 'False if there may be older requests than those that were grouped.' }),
  })
  .meta({
    id: 'RefusedRequestGroups',
    examples: [
      {
        items: [{ newest: example, count: 200, since: EXAMPLE_TIME, trend: [...Array<number>(23).fill(0), 200] }],
        isComplete: true,
      },
    ],
  });

const ROUTE = /^[\x20-\x7e]{1,200}$/;
const STATUS = /^[45]\d\d$/;

const ownFilter = {
  status: z.string().regex(STATUS, 'must be a status from 400 to 599').transform(Number).optional().meta({
    description: 'Only requests answered with this status.',
  }),
  check: z.enum(CHECKS).optional().meta({ description: 'Only requests that this check refused.' }),
  reason: textOf({ min: 1, max: 255 }).optional().meta({ description: 'Only requests refused for this reason.' }),
  method: z.enum(LOGGED_METHODS).optional().meta({ description: 'Only requests with this method.' }),
  route: z
    .string()
    .regex(ROUTE, 'must be a path, or a method and a path')
    .optional()
    .meta({ description: 'Only requests to this route, given as a path or as a method and a path.' }),
  since: timeField.optional().meta({ description: 'Only requests received at or after this time.' }),
};

const ofApp = uuidField.optional().meta({ description: 'Only requests of this app.' });
const wholeFilter = { installationId: ofApp, ...ownFilter };

const asFilter = ({ since, ...filter }: z.output<z.ZodObject<typeof wholeFilter>>) => ({
  ...filter,
  since: millisecondsOf(since),
});

const asQuery = ({ after, take, ...filter }: z.output<z.ZodObject<typeof wholeFilter & typeof placePaging>>) => ({
  from: fromOf({ after, take }),
  filter: asFilter(filter),
});

const refusedRequestQuery = z.object({ ...wholeFilter, ...placePaging }).transform(asQuery);

const ownRefusedRequestQuery = z.object({ ...ownFilter, ...placePaging }).transform(asQuery);

const refusedRequestFilter = z.object(wholeFilter).transform(asFilter);

const ownRefusedRequestFilter = z.object(ownFilter).transform(asFilter);

export const requestRoutes = [
  route
    .get('/admin/stores/:storeId/requests', 'listRefusedRequests')
    .admin('Insight')
    .summary(
      'List refused requests',
      'Lists the app requests that were answered with 4xx or 5xx, newest first. A request appears about a second after its response.',
    )
    .query(refusedRequestQuery)
    .returns(200, refusedRequestPage)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const listed = await app.listRefusals(params.storeId, query.filter, query.from);
      return listed.ok ? ok(asPlacedItems(listed.value)) : listed;
    }),
  route
    .get('/admin/stores/:storeId/requests/groups', 'listRefusedRequestGroups')
    .admin('Insight')
    .summary(
      'List groups of refused requests',
      'Lists what each app was refused on each route, with the status and the reason. Groups the newest 50,000 requests that match.',
    )
    .query(refusedRequestFilter)
    .returns(200, refusedRequestGroups)
    .refuses('not_found', 'invalid')
    .handle((app, { params, query }) => app.groupRefusals(params.storeId, query)),
  route
    .get('/admin/requests/:requestId', 'getRefusedRequest')
    .admin('Insight')
    .summary('Get a refused request', 'Finds a request by the X-Request-Id of its response, even if its host matches no store.')
    .returns(200, refusedRequest)
    .refuses('not_found')
    .handle((app, { params }) => app.getRefusal(params.requestId)),
];

/** Any scope will do: a missing scope is what a developer looks for. */
export const ownRequestRoutes = [
  route
    .get('/apps/requests', 'listOwnRefusedRequests')
    .anyScope()
    .query(ownRefusedRequestQuery)
    .returns(200, refusedRequestPage)
    .refuses('not_found', 'invalid')
    .handle(async (app, { caller: { storeId, installationId }, query }) => {
      const listed = await app.listRefusals(storeId, { ...query.filter, installationId }, query.from);
      return listed.ok ? ok(asPlacedItems(listed.value)) : listed;
    }),
  route
    .get('/apps/requests/groups', 'listOwnRefusedRequestGroups')
    .anyScope()
    .query(ownRefusedRequestFilter)
    .returns(200, refusedRequestGroups)
    .refuses('not_found', 'invalid')
    .handle((app, { caller: { storeId, installationId }, query }) => app.groupRefusals(storeId, { ...query, installationId })),
  route
    .get('/apps/requests/:id', 'getOwnRefusedRequest')
    .anyScope()
    .returns(200, refusedRequest)
    .refuses('not_found')
    .handle((app, { caller, params }) => app.getOwnRefusal(caller, params.id)),
];
