import { z } from 'zod';

import { IMPACT_UNITS } from '../../../domain/insight/impact-text.ts';
import { INCIDENT_KINDS } from '../../../domain/insight/incident-rules.ts';
import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { ok } from '../../../domain/result.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { placePaging, fromOf, placedItems, asPlacedItems } from '../kit/page.ts';
import { route } from '../route.ts';

const example = {
  id: exampleId(80),
  storeId: exampleId(99),
  store: 'sunrise.localhost',
  kind: 'receiver_failing',
  title: 'Receiver fails',
  name: 'hooks.example.com/tenon',
  subscriptionId: exampleId(40),
  installationId: null,
  check: null,
  reason: null,
  beganAt: EXAMPLE_TIME,
  endedAt: null,
  impact: { count: 218, of: 'deliveries' },
  cause: 'The last 10 attempts failed. Last error: Error in the receiver (5xx).',
};

export const incident = z
  .object({
    id: z.guid(),
    storeId: z.guid().nullable().meta({ description: 'Null for the whole server.' }),
    store: z.string().nullable().meta({ description: 'The domain of the store.' }),
    kind: z.enum(INCIDENT_KINDS),
    title: z.string().meta({ description: 'The kind in words.' }),
    name: z.string().meta({ description: 'The receiver, the app, the store or the service that it is about.' }),
    subscriptionId: z.guid().nullable(),
    installationId: z.guid().nullable(),
    check: z.enum(CHECKS).nullable().meta({ description: 'Of refused requests: the check that failed.' }),
    reason: z.string().nullable().meta({ description: 'Of refused requests: the reason, as in the request log.' }),
    beganAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable().meta({ description: 'Null while it is open.' }),
    impact: z
      .object({ count: z.int(), of: z.enum(IMPACT_UNITS) })
      .meta({ description: 'The most that it was. Deliveries are counted up to 1,000.' }),
    cause: z.string(),
  })
  .meta({ id: 'Incident', examples: [example] });

export const incidentPage = placedItems(incident, 'IncidentPage');

const incidentQuery = z
  .object({
    ...placePaging,
    status: z
      .enum(['open', 'ended'], 'must be open or ended')
      .optional()
      .meta({ description: 'Only open or only ended incidents.' }),
  })
  .transform(({ after, take, status }) => ({
    from: fromOf({ after, take }),
    filter: { status },
  }));

export const incidentRoutes = [
  route
    .get('/admin/stores/:storeId/incidents', 'listStoreIncidents')
    .admin('Insight')
    .summary(
      'List incidents of a store',
      'Lists what is wrong or was wrong in the last 90 days, those that began last first. Operations has the rules by which an incident begins and ends.',
    )
    .query(incidentQuery)
    .returns(200, incidentPage)
    .refuses('not_found', 'invalid')
    .handle(async (app, { params, query }) => {
      const listed = await app.listIncidents(params.storeId, query.filter, query.from);
      return listed.ok ? ok(asPlacedItems(listed.value)) : listed;
    }),
  route
    .get('/admin/incidents', 'listIncidents')
    .admin('Insight', { stores: 'all' })
    .summary('List all incidents', 'Lists the incidents of all stores and of the whole server, those that began last first.')
    .query(incidentQuery)
    .returns(200, incidentPage)
    .refuses('invalid')
    .handle(async (app, { query }) => {
      return ok(asPlacedItems(await app.listAllIncidents(query.filter, query.from)));
    }),
];
