import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';

import { documentFiles, documents } from '../../.ci/openapi.ts';
import { appRoutes, adminListenerRoutes, documentedRoutes } from '../../src/adapters/http/routes.ts';
import { parseConfig } from '../../src/adapters/wiring/settings/config.ts';
import { documentsOf } from '../../src/adapters/wiring/serve/documents.ts';
import { ENFORCED_SCOPES } from '../../src/domain/identity/scope.ts';
import { EVENT_TYPES, LIFE_EVENT_TYPES, SUBSCRIBABLE_TYPES } from '../../src/domain/webhooks/event.ts';
import { attemptHeaders } from '../../src/domain/webhooks/webhook-message.ts';
import { join } from 'node:path';
import { root, textOf } from './source.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema?: object;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Each operation by its method and path. */
/** The parameter type of createConfig takes the compiler over a minute to check. */
const configOf = createConfig as unknown as (raw: object) => ReturnType<typeof createConfig>;

const operationsOf = (document: Readonly<Record<string, unknown>>): [string, Operation][] =>
  Object.entries(document['paths'] as Paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
  );

const app = operationsOf(documents.app);
const admin = operationsOf(documents.admin);
const everyOperation = [...app, ...admin];
/** Routes that need no credentials and are not part of either API. */
const isOperational = (name: string): boolean => /^GET \/(healthz|readyz|metrics|media)/.test(name);
const operation = (name: string): Operation => new Map(everyOperation).get(name)!;

const ofAdmin = new Set(admin.map(([, operation]) => operation));

/** A generated client has a method of this name. */
const VERBS =
  /^(?:accept|list|get|create|put|update|bulkUpdate|delete|check|install|uninstall|preview|erase|end|export|import|pause|ping|redeliver|refuse|repair|resume|reactivate|revoke|rotate|search|try|watch)(?:[A-Z][a-z]+)*$/;

const isShell = async (sources: readonly string[]): Promise<void> => {
  await promisify(execFile)('bash', ['-n', '-c', sources.join('\n')]);
};

const isTypeScript = async (sources: readonly string[]): Promise<void> => {
  for (const source of sources) await transform(source, { loader: 'ts', format: 'esm' });
};

/** Each response of the operations, as its status, its operation's name and what it is. */
const responsesOf = (operations: readonly [string, Operation][]) =>
  operations.flatMap(([name, operation]) =>
    Object.entries(operation.responses).map(([status, response]) => ({
      name,
      isAdmin: ofAdmin.has(operation),
      status: Number(status),
      ...response,
    })),
  );

/** Names the violations in a failure. */
const namesOf = (responses: ReturnType<typeof responsesOf>) => responses.map(({ name, status }) => `${name} ${String(status)}`);

describe.each(Object.entries(documentFiles))('%s', (path, text) => {
  it('agrees with the routes; `npm run openapi` writes it', () => {
    const committed = existsSync(join(root, path)) ? textOf(path) : '';
    expect(committed === text, `${path} is out of date: run \`npm run openapi\` and commit what it writes`).toBe(true);
  });

  it('passes the strict rules of redocly and some optional ones', async () => {
    const config = await configOf({
      extends: ['recommended-strict'],
      rules: {
        'operation-description': 'error',
        'parameter-description': 'error',
        'operation-tag-defined': 'error',
        'operation-singular-tag': 'error',
        'path-parameters-defined': 'error',
        'component-name-unique': 'error',
        'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: false },
        'no-invalid-schema-examples': 'error',
        'no-invalid-parameter-examples': 'error',
      },
    });
    const problems = await lintFromString({ source: text, absoluteRef: join(root, path), config });
    const found = problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer ?? ''}`);
    expect(found).toEqual([]);
  });

  it('has the version of package.json', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', info: { version } });
  });
});

it('the documents have the limits of the settings', () => {
  const parsed = parseConfig({ BULK_MAX_PRODUCTS: '40', IDEMPOTENCY_TTL_SECONDS: '5400', ACCESS_TOKEN_TTL_SECONDS: '60' });
  if (!parsed.ok) throw new Error(parsed.message);
  const text = JSON.stringify(documentsOf(parsed.value));
  expect(text).toContain('"maxItems":40');
  expect(text).toContain('1 to 40 products');
  expect(text).toContain('remembered for 90 minutes');
  expect(text).toContain('"expiresIn":60');
  expect(text).not.toContain('{{');
});

describe('for generated clients', () => {
  const schemas = (document: Readonly<Record<string, unknown>>) =>
    (document['components'] as { schemas: Readonly<Record<string, { properties: Readonly<Record<string, object>> }>> }).schemas;
  const of = (name: string) => schemas(documents.app)[name]!.properties;

  it('open objects are declared as open, because a bare `type: object` becomes an object without members', () => {
    expect(of('MetaobjectEntryRequest')).toMatchObject({
      fields: { type: 'object', additionalProperties: true },
      translations: { type: ['object', 'null'], additionalProperties: true },
    });
    const all = JSON.stringify([documents.app, documents.admin]);
    expect(all.match(/\{(?:"description":"[^"]*",)?"type":"object"(?:,"description":"[^"]*")?\}/g)).toBeNull();
  });

  it('the status of a bulk update is described as case-insensitive', () => {
    const { pattern, ...status } = (of('ProductChange') as { status: { pattern: string } }).status;
    expect(status).not.toHaveProperty('enum');
    const taken = ['Active', 'DRAFT', 'archived', 'aRchIved', 'Deleted', 'Active ', ''].map((text) =>
      new RegExp(pattern).test(text),
    );
    expect(taken).toEqual([true, true, true, true, false, false, false]);
  });

  it('the lists in requests have the limits that are enforced', () => {
    expect(of('BulkProductUpdate')).toMatchObject({ products: { minItems: 1, maxItems: 250 } });
    expect(of('MediaImportRequest')).toMatchObject({ items: { minItems: 1, maxItems: 20 } });
    expect(of('WebhookSubscriptionRequest')).toMatchObject({ eventTypes: { maxItems: 100 } });
    const admin = schemas(documents.admin);
    expect(admin['NewApp']?.properties).toMatchObject({ name: { minLength: 1, maxLength: 255 }, scopes: { maxItems: 100 } });
    const unbounded = Object.entries(admin['ProductDocument']!.properties).filter(
      ([, property]) => 'type' in property && property.type === 'array' && !('maxItems' in property),
    );
    expect(unbounded.map(([name]) => name)).toEqual([]);
  });

  it('skip and take have no bounds, because no value of them is refused', () => {
    const lists = everyOperation.flatMap(([, { parameters }]) =>
      parameters.filter(({ name }) => name === 'skip' || name === 'take'),
    );
    expect(lists.length).toBeGreaterThan(10);
    expect(lists.filter(({ schema = {} }) => 'minimum' in schema || 'maximum' in schema)).toEqual([]);
  });
  it('the document names a contact', () => {
    expect([documents.app, documents.admin]).toMatchObject([{ info: { contact: {} } }, { info: { contact: {} } }]);
  });
});

describe('webhooks', () => {
  const of = (document: Readonly<Record<string, unknown>>) =>
    document['webhooks'] as Readonly<Record<string, { readonly post: Operation }>>;

  it('have each type that a subscription can name, and the ping', () => {
    expect(Object.keys(of(documents.app))).toEqual([...EVENT_TYPES, ...LIFE_EVENT_TYPES, 'ping']);
    expect(Object.keys(of(documents.admin))).toEqual([...SUBSCRIBABLE_TYPES, 'ping']);
  });

  it('have the headers of a delivery', () => {
    const { parameters } = documents.app['components'] as { parameters: Readonly<Record<string, { readonly name: string }>> };
    const sent = attemptHeaders({ eventId: '', timestamp: 0, signature: '', subscriptionId: '', number: 1, gap: '' });
    const described = Object.values(parameters).map(({ name }) => name);
    expect(described).toEqual(Object.keys(sent).filter((name) => name.startsWith('webhook-')));
  });
});

describe('every operation', () => {
  it('is that of a mounted route, and every mounted route has one', () => {
    const mounted = [...documentedRoutes, ...adminListenerRoutes].map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/:([A-Za-z]+)/g, '{$1}')}`,
    );
    expect(everyOperation.map(([name]) => name).sort()).toEqual(mounted.sort());
  });

  it.each(everyOperation)('%s has a summary, a description and an example of each body', (_name, { requestBody, ...told }) => {
    expect(told.summary).not.toBe('');
    expect(told.description).not.toBe('');
    const bodies = [requestBody, ...Object.values(told.responses)].flatMap((part) => Object.entries(part?.content ?? {}));
    const without = bodies.filter(([, { example, examples }]) => example === undefined && examples === undefined);
    expect(without.map(([type]) => type)).toEqual([]);
  });

  it.each([
    ['the app API', documentedRoutes],
    ['the admin API', adminListenerRoutes],
  ])('of %s has a name of its own, which begins with a verb', (_api, routes) => {
    const names = routes.map(({ operationId }) => operationId);
    expect(names.filter((name) => !VERBS.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has samples that are programs', async () => {
    const samples = everyOperation.flatMap(([, each]) => each['x-codeSamples']);
    for (const [label, check] of Object.entries({ curl: isShell, TypeScript: isTypeScript })) {
      const sources = samples.filter((sample) => sample.label === label).map(({ source }) => source);
      expect(sources).toHaveLength(everyOperation.length);
      await check(sources);
    }
  });

  it('names the required scope', () => {
    const needs = documentedRoutes.map(({ access }) =>
      access.kind === 'app' ? (access.scopes.length > 0 ? access.scopes.map((scope) => [scope]) : [[]]) : [],
    );
    expect(app.map(([, { security }]) => security.flatMap(({ oauth2 }) => (oauth2 ? [oauth2] : [])))).toEqual(needs);
    const { oauth2 } = (
      documents.app['components'] as { securitySchemes: { oauth2: { flows: { clientCredentials: { scopes: object } } } } }
    ).securitySchemes;
    expect(Object.keys(oauth2.flows.clientCredentials.scopes)).toEqual(ENFORCED_SCOPES);
    const needsToken = admin.map(([name]) => (isOperational(name) ? [] : [{ bearer: [] }]));
    expect(admin.map(([, { security }]) => security)).toEqual(needsToken);
  });
});

describe('statuses', () => {
  const BODY = [400, 413, 415];
  const API = [400, 401, 403, 429, 500, 503];
  const ADMIN = [401, 429, 500, 503];

  // A table by hand: what docs/specification/requests.md, "Errors" says, beside what the generator makes of the routes.
  it.each<[string, readonly number[]]>([
    ['POST /apps/token', [200, 400, 401, 429, 500, 503]],
    ['GET /apps/sandboxes', [200, 400, 401, 429, 500, 503]],
    ['GET /apps/catalog/products', [200, 304, ...API]],
    ['GET /apps/catalog/products/{id}', [200, 304, 404, ...API]],
    ['POST /apps/catalog/products/bulk', [200, 409, 413, 415, 422, ...API]],
    ['GET /apps/catalog/products/export', [200, 404, ...API]],
    ['GET /apps/catalog/variants', [200, ...API]],
    ['POST /apps/catalog/variants/bulk', [200, 409, 413, 415, 422, ...API]],
    ['GET /apps/catalog/collections/{id}/products', [200, 404, ...API]],
    ['GET /custom-data/metaobjects/{type}/entries', [200, 404, ...API]],
    ['GET /custom-data/metaobjects/{type}/entries/{handle}', [200, 304, 404, ...API]],
    ['PUT /custom-data/metaobjects/{type}/entries/{handle}', [200, 404, 409, 412, 413, 415, ...API]],
    ['DELETE /custom-data/metaobjects/{type}/entries/{handle}', [204, 404, 409, 412, ...API]],
    ['POST /apps/webhooks/subscriptions', [200, 404, 409, 413, 415, ...API]],
    ['GET /apps/events', [200, 400, 401, 410, 429, 500, 503]],
    ['GET /apps/events/{id}', [200, 400, 401, 404, 429, 500, 503]],
    ['GET /admin/stores/{storeId}/events', [200, 400, 403, 404, 410, ...ADMIN]],
    ['DELETE /apps/webhooks/subscriptions/{id}', [204, 404, ...API]],
    ['GET /media/{storeId}/{file}', [200, 206, 304, 400, 404, 416, 500, 503]],
    ['GET /healthz', [200, 400, 500, 503]],
    ['GET /readyz', [200, 400, 500, 503]],
    ['GET /metrics', [200, 400, 500, 503]],
    ['POST /admin/stores', [201, 403, 409, ...BODY, ...ADMIN]],
    ['GET /admin/stores', [200, 400, ...ADMIN]],
    ['GET /admin/stores/{storeId}', [200, 400, 404, ...ADMIN]],
    ['POST /admin/stores/{storeId}/products/import', [200, 400, 403, 404, 409, 415, ...ADMIN]],
    ['PUT /admin/stores/{storeId}/products/{productId}', [200, 403, 404, 409, 412, ...BODY, ...ADMIN]],
  ])('%s has %j', (name, statuses) => {
    expect(Object.keys(operation(name).responses).map(Number)).toEqual([...statuses].sort((one, other) => one - other));
  });

  it('every app route has 429 and 401, and 403 where it needs a scope', () => {
    const api = app.filter(([name]) => !isOperational(name));
    const having = (status: number) => app.filter(([, { responses }]) => status in responses).length;
    const scoped = appRoutes.filter(({ access }) => access.kind === 'app' && access.scopes.length > 0);
    expect([having(429), having(401), having(403)]).toEqual([api.length, api.length, scoped.length]);
  });
});

describe('bodies', () => {
  const responses = responsesOf(everyOperation);
  // A range that is not within the file has no body, and a node that is not ready names the checks that fail.
  const errors = responses.filter(
    ({ name, status }) => status >= 400 && status !== 416 && !(name === 'GET /readyz' && status === 503),
  );
  const typesOf = (some: typeof responses) => [...new Set(some.map(({ content = {} }) => Object.keys(content).join()))];
  const isApp = ({ isAdmin }: (typeof responses)[number]) => !isAdmin;
  const isEntry = ({ name }: (typeof responses)[number]) => name.includes(' /custom-data/');
  const isEmpty = ({ status }: (typeof responses)[number]) => status === 401 || status === 403;

  it('are empty for 401 and 403 of the app API', () => {
    expect(typesOf(errors.filter((error) => isApp(error) && isEmpty(error)))).toEqual(['']);
  });
  it('are empty for 204 and 304', () => {
    expect(typesOf(responses.filter(({ status }) => status === 204 || status === 304))).toEqual(['']);
  });
  it('of app routes are {error} for 400 and {error, code} for other errors', () => {
    const plain = errors.filter((error) => isApp(error) && !isEntry(error) && !isEmpty(error));
    expect(typesOf(plain)).toEqual(['application/json']);
    const wrong = plain.filter(({ status, content }) => {
      const wanted = { 400: 'InvalidError', 410: 'ExpiredCursor' }[status] ?? 'Error';
      return JSON.stringify(content!['application/json']!.schema) !== `{"$ref":"#/components/schemas/${wanted}"}`;
    });
    expect(namesOf(wrong)).toEqual([]);
  });
  it('of errors are problem+json on the metaobject route and in the admin API', () => {
    const problems = errors.filter((error) => (isEntry(error) && !isEmpty(error)) || !isApp(error));
    expect(typesOf(problems)).toEqual(['application/problem+json']);
  });
  it('distinguish the cases of 409, two of them for a key', () => {
    const { content } = operation('POST /apps/catalog/products/bulk').responses['409']!;
    expect(Object.keys(content!['application/json']!.examples!)).toEqual([
      'conflict',
      'idempotency_in_progress',
      'idempotency_not_replayable',
    ]);
  });
});

describe('headers', () => {
  const responses = responsesOf(everyOperation);
  /** The responses that carry the header are these, and these alone. */
  const carried = (header: string, by: (response: (typeof responses)[number]) => boolean) => {
    expect(namesOf(responses.filter(({ headers }) => header in headers))).toEqual(namesOf(responses.filter(by)));
  };
  const takesClient = (name: string) => name === 'POST /apps/token' || name.includes(' /apps/sandboxes');
  const isApp = (name: string) => !name.includes(' /admin/') && !takesClient(name) && !isOperational(name);
  const idempotent = [
    'POST /apps/catalog/products/bulk',
    'POST /apps/catalog/variants/bulk',
    'POST /apps/media/imports',
    'POST /admin/stores/{storeId}/variants/bulk',
  ];
  const isIdempotent = (name: string) => idempotent.includes(name);

  it('X-Request-Id on every response', () => {
    carried('X-Request-Id', () => true);
  });
  it.each(['RateLimit', 'RateLimit-Policy'])(
    '%s on every response of the app API behind authentication, and on 429',
    (header) => {
      carried(header, ({ name, status }) => takesClient(name) || (isApp(name) && status !== 401) || status === 429);
    },
  );
  it('Retry-After on 429 and 503, and on the 409 of a key', () => {
    carried(
      'Retry-After',
      ({ name, status }) =>
        status === 429 || (status === 503 && name !== 'GET /readyz') || (status === 409 && isIdempotent(name)),
    );
  });
  it('WWW-Authenticate on 401 and 403', () => {
    carried('WWW-Authenticate', ({ status }) => status === 401 || status === 403);
  });
  it('Idempotent-Replay on the remembered responses of an idempotent route', () => {
    carried('Idempotent-Replay', ({ name, status }) => isIdempotent(name) && [200, 202, 400].includes(status));
  });
  it('ETag on the product list, the product detail, an entry and media files, and their 304', () => {
    carried(
      'ETag',
      ({ name, status }) =>
        ((/^GET .*\/products(\/\{\w+\})?$/.test(name) && !name.includes('collections')) ||
          /^(GET \/media\/|(GET|PUT) \/custom-data\/.*\{handle\}$|PUT \/admin\/.*\/products\/)/.test(name)) &&
        status < 400,
    );
  });
  it('Cache-Control: no-store on the routes that take the credentials of a client', () => {
    carried('Cache-Control', ({ name }) => takesClient(name));
  });
  it('Accept-Encoding on 415', () => {
    carried('Accept-Encoding', ({ status }) => status === 415);
  });
  it('Idempotency-Key, If-None-Match and If-Match are parameters of the routes that read them', () => {
    const with_ = (header: string) =>
      everyOperation.filter(([, { parameters }]) => parameters.some(({ name }) => name === header)).map(([name]) => name);
    expect(with_('Idempotency-Key')).toEqual(idempotent);
    const answering = (status: string) => everyOperation.filter(([, { responses: own }]) => status in own).map(([name]) => name);
    const creating = (name: string) => name.startsWith('PUT ') && answering('412').includes(name);
    expect(with_('If-None-Match').filter((name) => !creating(name))).toEqual(answering('304'));
    expect(with_('If-None-Match').filter(creating)).toEqual(answering('412').filter(creating));
    expect(with_('If-Match')).toEqual(answering('412'));
  });
});
