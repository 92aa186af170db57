import { z } from 'zod';

import { ok } from '../../../domain/result.ts';
import { placePaging, fromOf, placedItems, asPlacedItems } from '../kit/page.ts';
import { route } from '../route.ts';
import { INCIDENT } from '../../../domain/insight/shown-incident.ts';
import { resourceOf } from '../kit/records.ts';

export const incident = resourceOf(INCIDENT);

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
