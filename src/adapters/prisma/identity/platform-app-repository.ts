import { placedPageOf } from '../../../domain/page.ts';
import type { PlatformAppChanges, PlatformAppRepository } from '../../../domain/ports/identity/platform-app-repository.ts';
import type { Database } from '../connection/database.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { pageValues } from '../connection/list-page.ts';
import type { AnnounceStop } from '../work/stop-work.ts';
import { installationOf } from './installation-repository.ts';
import { inactiveEventAddresses, moveEventAddresses, removeEventAddresses } from './event-addresses.ts';
import {
  ADD_PLATFORM_CLIENT_SECRET,
  ADD_PLATFORM_SIGNING_SECRET,
  LOCK_APP,
  purgePlatformSigningSecrets,
  replacePlatformClientSecret,
  replacePlatformSigningSecret,
} from './secret-rotation.ts';
import {
  BEYOND_MANIFEST,
  BY_CLIENT_ID,
  COUNT_PLATFORM_APPS,
  COUNT_INSTALLATIONS,
  CREATE_PLATFORM_APP,
  GET_PLATFORM_APP,
  INSTALLATIONS,
  LIST_PLATFORM_APPS,
  ON_STORE,
  PASS_RESUMPTION,
  RENAME_INSTALLATIONS,
  SECRETS,
  UPDATE_PLATFORM_APP,
} from './platform-app-statements.ts';
import { readWatchedInstallations } from './watched-installations.ts';

/** Null keeps what is there. Where `addresses` is true, it takes the event address away. */
const valuesOf = ({ name, redirectUrls, scopes, optionalScopes, eventUrl, status }: PlatformAppChanges) => ({
  name: name ?? null,
  redirectUrls: redirectUrls ?? null,
  scopes: scopes ?? null,
  optionalScopes: optionalScopes ?? null,
  status: status ?? null,
  addresses: eventUrl !== undefined,
  eventUrl: eventUrl ?? null,
});

export const platformAppRepository = (database: Database, announce?: AnnounceStop): PlatformAppRepository => ({
  create: ({ clientSecret, signingSecret, ...app }) =>
    database.transaction(async (sql) => {
      const { id } = app;
      sql.enqueue(CREATE_PLATFORM_APP, app);
      sql.enqueue(ADD_PLATFORM_CLIENT_SECRET, { id, secretId: clientSecret.id, hash: bytesOfHex(clientSecret.hash) });
      sql.enqueue(ADD_PLATFORM_SIGNING_SECRET, { id, secretId: signingSecret.id, sealed: signingSecret.sealed });
      const [created] = await sql.rows(GET_PLATFORM_APP, { id });
      if (!created) throw new Error('An INSERT wrote no row.');
      return created;
    }),
  get: async (id) => (await database.rows(GET_PLATFORM_APP, { id }))[0] ?? null,
  byClientId: async (clientId) => (await database.rows(BY_CLIENT_ID, { clientId }))[0] ?? null,
  secrets: async (clientId) => {
    const [row] = await database.rows(SECRETS, { clientId });
    if (!row) return null;
    const { secretHashes, ...app } = row;
    return { app, secretHashes };
  },
  list: async (page) => {
    const [rows, [count]] = await Promise.all([
      database.rows(LIST_PLATFORM_APPS, pageValues(page)),
      database.rows(COUNT_PLATFORM_APPS),
    ]);
    return placedPageOf(rows, page, count?.total ?? 0);
  },
  update: async (id, changes) => {
    const { name, eventUrl, status } = changes;
    const updated = await database.transaction(async (sql) => {
      sql.enqueue(LOCK_APP, { id });
      sql.enqueue(UPDATE_PLATFORM_APP, { id, ...valuesOf(changes) });
      if (status === 'Active') sql.enqueue(PASS_RESUMPTION);
      const [row] = await sql.rows(GET_PLATFORM_APP, { id });
      if (row && name !== undefined) await sql.execute(RENAME_INSTALLATIONS, { id, name });
      if (row && eventUrl != null) await moveEventAddresses(sql, id, eventUrl);
      return row ?? null;
    });
    if (updated && eventUrl === null) await removeEventAddresses(database, id, announce);
    return updated;
  },
  watch: (id, page, filter) => readWatchedInstallations(database, id, page, filter),
  deactivatedAddresses: (id) => inactiveEventAddresses(database, id),
  rotateClientSecret: (id, secret, overlapSeconds) =>
    replacePlatformClientSecret(database, id, { id: secret.id, hash: bytesOfHex(secret.hash) }, overlapSeconds),
  rotateSigningSecret: (id, secret, overlapSeconds) => replacePlatformSigningSecret(database, id, secret, overlapSeconds),
  purgeSigningSecrets: (limit) => purgePlatformSigningSecrets(database, limit),
  installations: async (id, page) => {
    const [[count], rows] = await Promise.all([
      database.rows(COUNT_INSTALLATIONS, { id }),
      database.rows(INSTALLATIONS, { id, ...pageValues(page) }),
    ]);
    return count ? placedPageOf(rows.map(installationOf), page, count.total) : null;
  },
  onStore: async (id, storeId) => (await database.rows(ON_STORE, { id, storeId })).map(installationOf)[0] ?? null,
  beyondManifest: async (id, limit) => (await database.rows(BEYOND_MANIFEST, { id, limit })).map(installationOf),
});
