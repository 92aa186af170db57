import type { DeliveryRepository } from '../../../../domain/ports/webhooks/delivery-repository.ts';
import type { Database } from '../../connection/database.ts';
import { statement } from '../../connection/statement.ts';
import { settling as settlingOn } from '../attempts/settle.ts';
import { fanOut } from '../fan-out/fan-out.ts';
import type { EventOptions } from '../feed/event-repository.ts';
import { IS_HELD_OR_PAUSED, SUBSCRIPTIONS } from '../subscriptions/receivers.ts';
import { deliverySweeps } from './delivery-sweeps.ts';
import { due, first, nextDueSeconds } from './due.ts';
import { SharedBodies } from './shared-bodies.ts';

/** Reads the secrets `k`, the newest first. */
const valid = (secrets: string): string => `ARRAY(
      SELECT k.sealed FROM ${secrets} AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
      ORDER BY k.expires_at DESC NULLS FIRST, k.created_at DESC, k.id DESC)`;

const TARGET = statement({
  text: `
  SELECT s.installation_id AS "installationId", s.url, ${IS_HELD_OR_PAUSED} AS held, s.ordered_by IS NOT NULL AS "isOrdered", s.failures,
    extract(epoch FROM statement_timestamp() - s.failing_since)::float AS failing,
    extract(epoch FROM s.probe_at - statement_timestamp())::float AS probe,
    coalesce(s.app_id, i.app_id, i.id, s.id) AS "secretsOf",
    CASE WHEN s.signing_secret IS NOT NULL THEN ARRAY[s.signing_secret]
      WHEN coalesce(s.app_id, i.app_id) IS NOT NULL THEN ${valid('platform_signing_secrets k WHERE k.app_id = coalesce(s.app_id, i.app_id)')}
      ELSE ${valid('signing_secrets k WHERE k.store_id = $storeId AND k.installation_id = s.installation_id')} END AS secrets
  FROM ${SUBSCRIPTIONS} WHERE s.store_id = $storeId AND s.id = $subscriptionId AND s.is_active`,
  parameters: { storeId: 'uuid', subscriptionId: 'uuid' },
  row: {
    installationId: 'uuid?',
    url: 'text',
    held: 'bool',
    isOrdered: 'bool',
    failures: 'int4',
    failing: 'float8?',
    probe: 'float8?',
    secretsOf: 'uuid',
    secrets: 'text[]',
  },
});

/**
 * `settling` is the database that records attempts. Every attempt in progress waits for its record,
 * so it may have its own connections.
 */
export const deliveryRepository = (
  database: Database,
  options: EventOptions,
  settling: Database = database,
): DeliveryRepository => {
  const bodies = new SharedBodies();
  return {
    fanOut: (storeId, limit) => fanOut(database, storeId, limit),
    target: async ({ storeId, subscriptionId }) => {
      const [row] = await database.rows(TARGET, { storeId, subscriptionId });
      if (!row) return null;
      const { failures, failing, probe, ...target } = row;
      return { ...target, storeId, subscriptionId, health: { failures, failingForSeconds: failing, probeInSeconds: probe } };
    },
    due: ({ storeId, subscriptionId }, limit, taken) => due(database, bodies, { storeId, subscriptionId, limit, taken }),
    first: (subscription) => first(database, bodies, subscription),
    settle: settlingOn(settling, options),
    nextDueSeconds: (subscription) => nextDueSeconds(database, subscription),
    ...deliverySweeps(database, options),
  };
};
