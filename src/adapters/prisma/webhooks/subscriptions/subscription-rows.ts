import { INSTALLATION_STATUSES } from '../../../../domain/identity/installation.ts';
import { ALL_SCOPES } from '../../../../domain/identity/scope.ts';
import { STORE_STATUSES } from '../../../../domain/identity/store.ts';
import type { NewSubscription, WatchedSubscription } from '../../../../domain/ports/webhooks/subscription-repository.ts';
import { healthOf, isDeliverable } from '../../../../domain/webhooks/deliverability.ts';
import { SUBSCRIBABLE_TYPES } from '../../../../domain/webhooks/event.ts';
import type { Gathering } from '../../../../domain/webhooks/gathering.ts';
import type { SubscriptionFilter } from '../../../../domain/webhooks/subscription-filter.ts';
import { INCLUDES } from '../../../../domain/webhooks/included.ts';
import { DELIVERY_ORDERS } from '../../../../domain/webhooks/subscription-options.ts';
import type { Subscription } from '../../../../domain/webhooks/subscription.ts';
import { hasTextOrId, isBehind, PAGE_PARAMETERS, pageClause } from '../../connection/list-page.ts';
import { json, oneOf, type RowOf } from '../../connection/sql-types.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { statusOf } from '../../work/installation-status.ts';

const FIELDS = `s.id, s.url, s.description, s.event_types AS "eventTypes", s.is_active AS "isActive",
    s.signing_secret IS NOT NULL OR coalesce(s.app_id, i.app_id) IS NOT NULL OR EXISTS (SELECT FROM signing_secrets k WHERE k.store_id = $storeId AND k.installation_id = s.installation_id
      AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())) AS "hasSigningSecret",
    s.filter, s.fields, s.include, s.ordered_by AS "order",
    CASE WHEN s.gather_quiet_seconds IS NOT NULL THEN json_build_object('quietSeconds', s.gather_quiet_seconds, 'maxSeconds', s.gather_max_seconds) END AS gather,
    iso(s.created_at) AS "createdAt", iso(s.updated_at) AS "updatedAt", s.installation_id AS "installationId", s.app_id AS "platformAppId",
    st.status AS "storeStatus", ${statusOf('i')} AS "installationStatus", i.scopes, s.paused_at IS NOT NULL AS "isPaused",
    s.probe_at IS NULL AS "breakerClosed"`;

const COLUMNS = {
  id: 'uuid?',
  url: 'text',
  description: 'text?',
  eventTypes: oneOf('text[]!', SUBSCRIBABLE_TYPES),
  isActive: 'bool',
  hasSigningSecret: 'bool',
  filter: json<SubscriptionFilter | null>('json?'),
  fields: 'text[]?',
  include: oneOf('text[]?', INCLUDES),
  order: oneOf('text?', DELIVERY_ORDERS),
  gather: json<Gathering | null>('json?'),
  createdAt: 'text',
  updatedAt: 'text?',
  installationId: 'uuid?',
  platformAppId: 'uuid?',
  storeStatus: oneOf('text', STORE_STATUSES),
  installationStatus: oneOf('text?', INSTALLATION_STATUSES),
  scopes: oneOf('text[]?', ALL_SCOPES),
  isPaused: 'bool',
  breakerClosed: 'bool',
} as const;

/**
 * The owner's subscriptions, or one of them, with what decides whether they are deliverable. A
 * store without such a subscription gives one row in which it is null.
 */
export const OWNED = statement({
  text: `
  SELECT ${FIELDS}
  FROM stores st
    LEFT JOIN subscriptions s ON s.store_id = st.id AND s.installation_id IS NOT DISTINCT FROM $installationId::uuid AND s.app_id IS NULL
      AND ($id::uuid IS NULL OR s.id = $id)
    LEFT JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
  WHERE st.id = $storeId
  ORDER BY s.created_at, s.id`,
  parameters: { storeId: 'uuid', installationId: 'uuid?', id: 'uuid?' },
  row: COLUMNS,
});

const ATTEMPTS = `iso(s.failing_since) AS "failingSince", iso(s.probe_at) AS "nextProbeAt",
    coalesce(s.probe_at <= statement_timestamp(), false) AS "isProbeDue",
    iso(s.paused_at) AS "pausedAt", CASE WHEN NOT s.is_active THEN iso(coalesce(s.deactivated_at, s.updated_at)) END AS "deactivatedAt"`;
const ATTEMPTS_COLUMNS = {
  failingSince: 'text?',
  nextProbeAt: 'text?',
  isProbeDue: 'bool',
  pausedAt: 'text?',
  deactivatedAt: 'text?',
} as const;

const MATCHING = `subscriptions s WHERE s.store_id = $storeId AND ($installationId::uuid IS NULL OR s.installation_id = $installationId)
      AND ${hasTextOrId(['s.url', 's.description'], ['s.id::text'])}`;

/** A page of the store's subscriptions that match, with their attempts so far. A page without one has a row in which it is null. */
export const WATCHED = statement({
  text: `
  SELECT ${FIELDS}, ${ATTEMPTS}, (SELECT count(*)::int FROM ${MATCHING}) AS total
  FROM stores st
    LEFT JOIN (SELECT s.* FROM ${MATCHING} AND ${isBehind('s')} ${pageClause('s')}) s ON s.store_id = st.id
    LEFT JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
  WHERE st.id = $storeId
  ORDER BY s.created_at, s.id`,
  parameters: { storeId: 'uuid', installationId: 'uuid?', q: 'text?', ...PAGE_PARAMETERS },
  row: { ...COLUMNS, ...ATTEMPTS_COLUMNS, total: 'int4' },
});

/** Reads a subscription of the store, with its attempts so far. */
const WATCHED_ONE = statement({
  text: `
  SELECT ${FIELDS}, ${ATTEMPTS}
  FROM stores st
    JOIN subscriptions s ON s.store_id = st.id
    LEFT JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
  WHERE st.id = $storeId AND s.id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: { ...COLUMNS, ...ATTEMPTS_COLUMNS },
});

/** Failing subscriptions, then deactivated ones: each kind has an index. */
export const TROUBLED = statement({
  text: `
  SELECT ${FIELDS}, ${ATTEMPTS}
  FROM stores st
    LEFT JOIN (
      (SELECT * FROM subscriptions WHERE store_id = $storeId AND is_active AND failing_since IS NOT NULL ORDER BY failing_since, id LIMIT $take)
      UNION ALL
      (SELECT * FROM subscriptions WHERE store_id = $storeId AND NOT is_active ORDER BY updated_at DESC, id DESC LIMIT $take)
    ) s ON s.store_id = st.id
    LEFT JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
  WHERE st.id = $storeId
  ORDER BY s.is_active DESC, CASE WHEN s.is_active THEN s.failing_since END, s.updated_at DESC, s.id`,
  parameters: { storeId: 'uuid', take: 'int8' },
  row: { ...COLUMNS, ...ATTEMPTS_COLUMNS },
});

type Row = RowOf<typeof COLUMNS>;

export const subscriptionOf = ({ id, ...row }: Row): Subscription[] => {
  if (id === null) return [];
  const {
    platformAppId: _,
    storeStatus: __,
    installationStatus: ___,
    scopes: ____,
    isPaused: _____,
    breakerClosed: ______,
    ...shown
  } = row;
  return [{ ...shown, id, isDeliverable: isDeliverable(row) }];
};

export const watchedOf = ({
  failingSince,
  nextProbeAt,
  isProbeDue,
  pausedAt,
  deactivatedAt,
  ...row
}: NonNullable<typeof TROUBLED.row>): WatchedSubscription[] =>
  subscriptionOf(row).map((shown) => ({
    ...shown,
    platformAppId: row.platformAppId,
    health: healthOf(row, { failingSince, nextProbeAt, isProbeDue, pausedAt, deactivatedAt }),
  }));

/** Finds a subscription of the merchant or of an app. */
export const findSubscription = async (
  sql: Pick<Sql, 'rows'>,
  storeId: string,
  id: string,
): Promise<WatchedSubscription | null> => (await sql.rows(WATCHED_ONE, { storeId, id })).flatMap(watchedOf)[0] ?? null;

const LOCK_OWNER = statement({
  text: `
    SELECT FROM installations WHERE id = $installationId AND store_id = $storeId AND status <> 'Uninstalled' FOR NO KEY UPDATE`,
  parameters: { installationId: 'uuid', storeId: 'uuid' },
});

const CREATE = statement({
  text: `
    INSERT INTO subscriptions (id, store_id, installation_id, url, description, event_types, signing_secret, filter, fields, include, ordered_by, gather_quiet_seconds, gather_max_seconds, created_at)
    SELECT $id, st.id, $installationId, $url, $description, $eventTypes, $signingSecret, $filter, $fields, $include, $order, $quietSeconds, $maxSeconds, statement_timestamp()
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
    include: 'text[]?',
    order: 'text?',
    quietSeconds: 'int4?',
    maxSeconds: 'int4?',
  },
});

/** State of the owner's subscription. */
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

/**
 * True when there is such an owner. The lock makes creations of one installation, and its
 * uninstall, wait for each other.
 */
export const lockOwner = async (sql: Sql, storeId: string, installationId: string): Promise<boolean> =>
  (await sql.execute(LOCK_OWNER, { installationId, storeId })) > 0;

export const addSubscription = async (sql: Sql, { filter, gather, ...subscription }: NewSubscription): Promise<void> => {
  const gathers = { quietSeconds: gather?.quietSeconds ?? null, maxSeconds: gather?.maxSeconds ?? null };
  await sql.execute(CREATE, { ...subscription, ...gathers, filter: filter && JSON.stringify(filter) });
};
