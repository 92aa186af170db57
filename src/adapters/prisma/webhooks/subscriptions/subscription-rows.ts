import type { NewSubscription } from '../../../../domain/ports/webhooks/subscription-repository.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';

const LOCK_OWNER = statement({
  text: `
    SELECT FROM installations WHERE id = $installationId AND store_id = $storeId AND status <> 'Uninstalled' FOR NO KEY UPDATE`,
  parameters: { installationId: 'uuid', storeId: 'uuid' },
});

const CREATE = statement({
  text: `
    INSERT INTO subscriptions (id, store_id, installation_id, url, description, event_types, signing_secret, filter, fields, ordered_by, gather_quiet_seconds, gather_max_seconds, created_at)
    SELECT $id, st.id, $installationId, $url, $description, $eventTypes, $signingSecret, $filter, $fields, $order, $quietSeconds, $maxSeconds, statement_timestamp()
    FROM stores st WHERE st.id = $storeId`,
  parameters: {
    id: 'uuid',
    storeId: 'uuid',
    installationId: 'uuid?',
    url: 'text',
    description: 'text?',
    eventTypes: 'text[]',
    signingSecret: 'text?',
    filter: 'json?',
    fields: 'text[]?',
    order: 'text?',
    quietSeconds: 'int4?',
    maxSeconds: 'int4?',
  },
});

/** Of the owner's subscription. */
export const OWNED_STATE = statement({
  text: `
    SELECT is_active AS "isActive" FROM subscriptions WHERE id = $id AND store_id = $storeId AND installation_id IS NOT DISTINCT FROM $installationId::uuid
      AND app_id IS NULL`,
  parameters: { id: 'uuid', storeId: 'uuid', installationId: 'uuid?' },
  row: { isActive: 'bool' },
});

export const DELETE = statement({
  text: 'DELETE FROM subscriptions WHERE store_id = $storeId AND id = $id',
  parameters: { storeId: 'uuid', id: 'uuid' },
});

/** Whether there is such an owner. The lock makes creations of one installation, and its uninstall, wait for each other. */
export const lockOwner = async (sql: Sql, storeId: string, installationId: string): Promise<boolean> =>
  (await sql.execute(LOCK_OWNER, { installationId, storeId })) > 0;

export const addSubscription = async (sql: Sql, { filter, gather, ...subscription }: NewSubscription): Promise<void> => {
  const gathers = { quietSeconds: gather?.quietSeconds ?? null, maxSeconds: gather?.maxSeconds ?? null };
  await sql.execute(CREATE, { ...subscription, ...gathers, filter: filter && JSON.stringify(filter) });
};
