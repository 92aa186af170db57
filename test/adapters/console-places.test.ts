import { expect, it } from 'vitest';

import { placeOfIncident } from '../../console/pages/incidents/place-of-incident.ts';
import { failedPlace, refusedPlace } from '../../console/pages/overview/attention-places.ts';

const NOTHING = { subscriptionId: null, installationId: null, check: null, reason: null } as const;
const params = { storeId: 's' };

it('deliveries that failed in the last 24 hours are found at any time of creation', () => {
  expect(failedPlace('s')).toEqual({ to: '/stores/$storeId/deliveries', params, search: { status: ['Failed'] } });
});

it('refused requests are found in the hour that was counted', () => {
  expect(refusedPlace('s', { check: 'token', reason: 'unknown_token' }, '2026-01-15T12:00:00.000Z')).toEqual({
    to: '/stores/$storeId/requests',
    params,
    search: { check: 'token', reason: 'unknown_token', since: '2026-01-15T11:00:00.000Z' },
  });
});

it('an incident of late deliveries leads to all that wait, also to retries', () => {
  expect(placeOfIncident('s', { ...NOTHING, kind: 'deliveries_late' })).toEqual({
    to: '/stores/$storeId/deliveries',
    params,
    search: { status: ['Waiting', 'Retrying'] },
  });
});

it('an incident of a receiver leads to the receiver', () => {
  expect(placeOfIncident('s', { ...NOTHING, kind: 'receiver_failing', subscriptionId: 'r' })).toEqual({
    to: '/stores/$storeId/subscriptions/$subscriptionId',
    params: { storeId: 's', subscriptionId: 'r' },
  });
});

it('an incident of an app leads to what the app did', () => {
  const refused = { ...NOTHING, kind: 'refusals', installationId: 'a', check: 'token', reason: 'revoked' } as const;
  expect(placeOfIncident('s', refused)).toMatchObject({
    to: '/stores/$storeId/requests',
    search: { app: 'a', check: 'token', reason: 'revoked' },
  });
  expect(placeOfIncident('s', { ...NOTHING, kind: 'media_imports_failed', installationId: 'a' })).toMatchObject({
    to: '/stores/$storeId/media',
    search: { app: 'a', status: ['Failed', 'CompletedWithErrors'] },
  });
});

it('a failed import leads to the imports, and what has no page leads nowhere', () => {
  expect(placeOfIncident('s', { ...NOTHING, kind: 'product_import_failed' })).toEqual({ to: '/stores/$storeId/import', params });
  expect(placeOfIncident('s', { ...NOTHING, kind: 'database_away' })).toBeNull();
});
