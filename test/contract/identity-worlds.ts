import { afterAll, beforeEach } from 'vitest';

import type { WorkLeases } from '../../src/domain/ports/work-lease.ts';
import type { AskedInstall } from '../../src/domain/identity/install-request.ts';
import type { Installation } from '../../src/domain/identity/installation.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { NewInstallation } from '../../src/domain/ports/identity/installation-repository.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { Operator } from '../../src/domain/identity/operator.ts';
import type { NewOperator } from '../../src/domain/ports/identity/operator-repository.ts';
import type { PlatformApp } from '../../src/domain/identity/platform-app.ts';
import type { NewPlatformApp } from '../../src/domain/ports/identity/platform-app-repository.ts';
import type { Scope } from '../../src/domain/identity/scope.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import { beforeAll } from './hooks.ts';

type IdentityPorts = Pick<
  Ports,
  | 'transaction'
  | 'idempotency'
  | 'stores'
  | 'storeErasure'
  | 'mediaFiles'
  | 'appLife'
  | 'installRequests'
  | 'installations'
  | 'tokens'
  | 'admission'
  | 'auditLog'
  | 'consoleSessions'
  | 'operators'
  | 'operatorTokens'
  | 'signInMethods'
  | 'platformApps'
  | 'appConsoleSessions'
  | 'subscriptions'
  | 'subscriptionChanges'
  | 'deliveries'
  | 'developerSessions'
  | 'redeliveries'
  | 'requestLog'
  | 'sandboxRecords'
  | 'deliveryLog'
>;

/** When the keys of these worlds expire. */
export const KEY_SECONDS = 60;

/**
 * An implementation of the ports of stores, installations and tokens, with the needs of their
 * suites. Tokens have their default lifetime.
 */
export interface IdentityWorld {
  readonly ports: IdentityPorts;
  readonly ids: Ids;
  /** Leases of a worker. */
  readonly leases: WorkLeases;
  /**
   * Lets time pass for tokens, sessions, secrets, keys and erasures: by the clock, or by moving times
   * back where the database's clock rules.
   */
  pass(seconds: number): Promise<void>;
  /** Gives the installation a subscription and an idempotency record. */
  aSubscriptionAndAKey(installation: Installation): Promise<void>;
  /** Gives the installation this many tokens that are valid for less than two hours. */
  tokens(installationId: string, count: number): Promise<void>;
  /** Keeps a request as processes of version 0.1.0 do. */
  keepInstallRequest(request: AskedInstall): Promise<void>;
  /** How many subscriptions and idempotency records it has. */
  owned(installationId: string): Promise<number>;
  close(): Promise<void>;
}

/** 64 hex digits that stand for the text. */
export const hashOf = (text: string): string => Buffer.from(text.padEnd(32, '.').slice(0, 32)).toString('hex');

/** Returns the admission of the token with this hash at the domain: `ok`, or the reason for the refusal. */
export const admissionOf = async ({ ports }: IdentityWorld, hash: string, domain: string): Promise<string> => {
  const authentication = await ports.admission.authenticate(hash, domain);
  return authentication.ok ? 'ok' : authentication.reason;
};

/** Returns the admission of the console session with this hash. */
export const sessionOf = async ({ ports }: IdentityWorld, hash: string, domain: string): Promise<string> => {
  const authentication = await ports.admission.authenticateSession(hash, domain);
  return authentication.ok ? 'ok' : authentication.reason;
};

export const aStore = async ({ ports, ids }: IdentityWorld, domain = `${ids.next()}.test`): Promise<Store> => {
  const store = await ports.stores.create({ id: ids.next(), domain, name: 'Store', currency: 'EUR' });
  if (store === 'domain_taken') throw new Error(`${domain} is taken`);
  return store;
};

export const anOperator = async ({ ports, ids }: IdentityWorld, given: Partial<NewOperator> = {}): Promise<Operator> => {
  const id = ids.next();
  const operator = await ports.operators.create({
    id,
    name: `Ada ${id}`,
    email: null,
    role: 'operator',
    storeIds: null,
    ...given,
  });
  if (operator === 'name_taken') throw new Error(`the name of ${id} is taken`);
  return operator;
};

/** Another store takes the domain. Returns that store, and the domain that the first one has now. */
export const aMove = async (world: IdentityWorld, { id, domain }: Store): Promise<{ taker: Store; moved: string }> => {
  const taker = await aStore(world);
  const moved = `${world.ids.next()}.test`;
  await world.ports.stores.update(id, { domain: moved });
  await world.ports.stores.update(taker.id, { domain });
  return { taker, moved };
};

/** An import of one image that has not begun. */
export const anImport = async ({ ids, ports }: IdentityWorld, { id, storeId }: Installation): Promise<void> => {
  const item = { mediaId: ids.next(), sourceUrl: 'https://x.test/a.png', productId: ids.next() };
  const content = { productVariantId: null, altText: null, position: null, aiGenerated: false };
  const items = [{ ...item, ...content }];
  await ports.transaction.run(null, (tx) => tx.mediaImports.create({ id: ids.next(), storeId, installationId: id, items }));
};

/**
 * Creates an installation. The hash of its client secret is hashOf(its client id), its sealed
 * signing secret `sealed`.
 */
export const anInstallation = async (
  world: IdentityWorld,
  storeId: string,
  given: Partial<NewInstallation> = {},
): Promise<Installation> => {
  const { ids, ports } = world;
  const id = ids.next();
  const installation = await ports.installations.create({
    id,
    storeId,
    name: 'App',
    clientId: id,
    scopes: ['read_orders', 'write_products'],
    clientSecret: { id: ids.next(), hash: hashOf(`${id.slice(-12)} first`) },
    signingSecret: { id: ids.next(), sealed: 'sealed' },
    ...given,
  });
  if (!installation) throw new Error('there is no such store');
  return installation;
};

/**
 * Creates a platform app. The hash of its client secret is hashOf(its client id), its sealed
 * signing secret `sealed`. It may ask for what anInstallation has, and more.
 */
export const aPlatformApp = async ({ ids, ports }: IdentityWorld, given: Partial<NewPlatformApp> = {}): Promise<PlatformApp> => {
  const id = ids.next();
  return ports.platformApps.create({
    id,
    name: 'Platform app',
    clientId: id,
    redirectUrls: ['https://app.test/installed'],
    scopes: ['write_products'],
    optionalScopes: ['read_orders'],
    eventUrl: null,
    clientSecret: { id: ids.next(), hash: hashOf(`${id.slice(-12)} first`) },
    signingSecret: { id: ids.next(), sealed: 'sealed' },
    ...given,
  });
};

/** A sandbox store of an app of its own. */
export const aSandbox = async (world: IdentityWorld): Promise<Store> => {
  const [{ id: appId }, id] = [await aPlatformApp(world), world.ids.next()];
  const store = await world.ports.stores.createSandbox({ id, domain: `${id}.test`, name: 'Try', currency: 'EUR' }, appId);
  if (typeof store === 'string') throw new Error(store);
  return store;
};

/** Installs the app on the store, or grants it more scopes there. */
export const anInstallationOf = async (
  world: IdentityWorld,
  storeId: string,
  app: PlatformApp,
  scopes: readonly Scope[] = app.scopes,
): Promise<Installation> => {
  const request = { id: world.ids.next(), storeId, appId: app.id, isKept: false };
  const consent = { installationId: world.ids.next(), scopes };
  const installed = await world.ports.installRequests.accept(request, consent);
  if (installed === null || installed === 'not_asked') throw new Error('the app was not installed');
  return installed;
};

export interface Tenancy {
  readonly world: IdentityWorld;
  readonly store: Store;
  readonly installation: Installation;
}

/**
 * Opens and closes one world for the suite that calls it. `begin` gets a new store with an
 * installation for each test.
 */
export const useTenancy = (open: () => Promise<IdentityWorld>, begin: (tenancy: Tenancy) => void): void => {
  let world: IdentityWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const store = await aStore(world);
    begin({ world, store, installation: await anInstallation(world, store.id) });
  });
};
