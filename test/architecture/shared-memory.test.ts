import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

import { storeKey, type StoreKey } from '../../src/domain/store-key.ts';
import { claimedKeys, keysWithoutStore, sharedWithoutStore } from './shared-memory.ts';
import { engineFolders, root, sourceFiles, textOf } from './source.ts';

const A_ROW = 'by the id of an app or a subscription, which no other store has';
const AN_ADDRESS = 'by the address of a caller, who may ask any store';
const ONE_REQUEST = 'lives as long as one request or one batch, of one store';
const NO_STORE = 'holds nothing of a store';

/** Each storage engine lists its own in its folder, in a file that it may leave out. */
const ofEngine = (folder: string): string[] => {
  const path = `${folder}/shared-memory.json`;
  if (!existsSync(join(root, path))) return [];
  return Object.keys(JSON.parse(textOf(path)) as Record<string, string>).map((name) => `${folder}/${name}`);
};

/** Each keeps something by another key than one with its store, for this reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/adapters/bullmq/work-signal.ts #tasks': `${A_ROW}, or by the id of the store`,
  'src/application/media/run-media-imports.ts #taken': 'counts the images of a host that the node fetches, of all stores',
  'src/application/media/run-media-imports.ts #waiting': A_ROW,
  'src/adapters/wiring/processes/channel.ts #open': NO_STORE,
  'src/adapters/wiring/processes/places.ts #taken': A_ROW,
  'src/adapters/http/import/file-notes.ts unread': ONE_REQUEST,
  'src/adapters/http/import/ndjson.ts unread': ONE_REQUEST,
  'src/adapters/http/import/rows-apart.ts apart': ONE_REQUEST,
  'src/adapters/http/import/rows-apart.ts shards': ONE_REQUEST,
  'src/adapters/http/import/ndjson.ts damagedMembers': ONE_REQUEST,
  'src/adapters/http/import/ndjson.ts trimmedMembers': ONE_REQUEST,
  'src/adapters/http/live/live-shares.ts #operators': 'counts the streams of a person, who reads all stores',
  'src/adapters/http/serving/listener/address-share.ts held': AN_ADDRESS,
  'src/adapters/http/serving/admit/failed-tokens.ts #windows': AN_ADDRESS,
  'src/adapters/http/serving/admit/failed-tokens.ts #known':
    'by the digest of a token, which is looked up with its store each time',
  'src/adapters/http/serving/admit/failure-limit.ts refusals': AN_ADDRESS,
  'src/adapters/http/serving/listener/host.ts known': AN_ADDRESS,
  'src/adapters/http/console/known-host.ts OPEN_PATHS': NO_STORE,
  'src/adapters/node/names/address-resolver.ts lookingUp': 'what a name resolves to depends on the name alone',
  'src/adapters/node/names/address-resolver.ts unknown': 'what a name resolves to depends on the name alone',
  'src/adapters/node/names/look-up-places.ts #askers': A_ROW,
  'src/adapters/node/names/look-up-places.ts #turns': A_ROW,
  'src/adapters/node/logger.ts #kinds': NO_STORE,
  'src/application/insight/verify.ts running': NO_STORE,
  'src/adapters/node/pattern-matcher.ts compiled': 'a compiled pattern depends on its text alone',
  'src/adapters/node/rate-limiter.ts RateLimiterMemory': `${A_ROW}, by a client id, or ${AN_ADDRESS}`,
  'src/adapters/postgres/servers.ts known': NO_STORE,
  'src/adapters/prometheus/aggregate-metrics.ts #latest': NO_STORE,
  'src/adapters/redis/rate-limiter.ts RateLimiterRedis': `${A_ROW}, by a client id, or ${AN_ADDRESS}`,
  'src/adapters/redis/rate-limiter.ts RateLimiterMemory': `${A_ROW}, by a client id, or ${AN_ADDRESS}`,
  'src/adapters/outgoing/webhook/webhook-sender.ts #bySubscription': A_ROW,
  'src/adapters/storage/so-far.ts peppers': NO_STORE,
  'src/adapters/wiring/keys/open-secrets.ts known': NO_STORE,
  'src/adapters/wiring/keys/report-unopened.ts reported': NO_STORE,
  'src/adapters/wiring/tracing/traced-work.ts METHODS': NO_STORE,
  'src/application/catalogue/judge-removals.ts byLine': ONE_REQUEST,
  'src/application/catalogue/save-products.ts lines': ONE_REQUEST,
  'src/application/catalogue/slug-holders.ts decided': ONE_REQUEST,
  'src/application/insight/gather-audit-refusals.ts hours': 'by an operator, who reads all stores, or by a way to sign in',
  'src/application/insight/gather-counts.ts counts': A_ROW,
  'src/application/insight/gather-refusals.ts groups.known': A_ROW,
  'src/application/insight/gather-refusals.ts groups.unknown': 'by the host that a request names; a store has one',
  'src/application/webhooks/delivery/delivery-batch.ts #unsettled': ONE_REQUEST,
  'src/domain/catalogue/imported-lines.ts shards': ONE_REQUEST,
  'src/domain/catalogue/taxonomy.ts byKey': ONE_REQUEST,
  'src/domain/catalogue/warehouse.ts names': ONE_REQUEST,
  'src/domain/catalogue/match-elements.ts queues': ONE_REQUEST,
  'src/domain/catalogue/row-options.ts blanks': ONE_REQUEST,
  'src/domain/catalogue/row-options.ts nameOf': ONE_REQUEST,
  'src/domain/catalogue/product-variants.ts ids': ONE_REQUEST,
  'src/domain/catalogue/product-variants.ts byText': ONE_REQUEST,
  'src/domain/catalogue/variant-update.ts skus': ONE_REQUEST,
  'src/domain/values/fault-list.ts errors': ONE_REQUEST,
  'src/domain/webhooks/event-values.ts #spent': ONE_REQUEST,
  'src/domain/webhooks/event-values.ts #walked': ONE_REQUEST,
};

const IMPORTS =
  "import { LRUCache } from 'lru-cache';\nimport { storeKey } from '../domain/store-key.ts';\nimport type { StoreKey } from '../domain/store-key.ts';\n";

/** Expected findings in each of these files. */
const PLANTED: Readonly<Record<string, readonly [text: string, found: readonly string[]]>> = {
  'the defect': [
    'export class Flights { readonly #flying = new Map<string, Promise<string>>(); get = (tag: string) => this.#flying.get(tag); }',
    ['#flying'],
  ],
  'a cache': [
    'export class Kept { constructor(private readonly entries: LRUCache<string, object>) {} get = (id: string) => this.entries.get(id); }',
    ['entries'],
  ],
  'of a module': ['const seen = new Set<string>();\nexport const see = (id: string) => seen.add(id);', ['seen']],
  'of what is returned': [
    'export const create = () => { const kept = new Map<string, string>(); return { get: (id: string) => kept.get(id) }; };',
    ['kept'],
  ],
  'of what calls it': [
    'export const create = () => { let kept = new Map<string, string>(); const find = (id: string) => kept.get(id); return { find, clear: () => { kept = new Map(); } }; };',
    ['kept'],
  ],
  'of a listener': [
    "export const listen = (server: { on(event: string, heard: (id: string) => void): void }) => { const held = new Map<string, number>(); server.on('x', (id) => { held.set(id, 1); }); };",
    ['held'],
  ],
  'an alias': [
    'type Tag = string;\nexport const create = () => { const kept = new Map<Tag, string>(); return (tag: Tag) => kept.get(tag); };',
    ['kept'],
  ],
  'a part of an object': [
    'export const create = () => { const kept = { known: new Map<string, string>() }; return { get: (id: string) => kept.known.get(id) }; };',
    ['kept.known'],
  ],
  'a part by its name': [
    'export class Flights { readonly #held; constructor() { const known = new Set<string>(); this.#held = known; } has = (id: string) => this.#held.has(id); }',
    ['#held'],
  ],
  'a part of a module': [
    'const known = new Set<string>();\nconst kept = { known };\nexport const has = (id: string) => kept.known.has(id);',
    ['known', 'kept.known'],
  ],
  'a record': [
    'export const create = () => { const kept: Record<string, string> = {}; return (id: string, text: string) => { kept[id] = text; }; };',
    ['kept'],
  ],
  'a record of an object': [
    'export class Kept { readonly #texts: Record<string, number> = {}; count = (id: string) => { this.#texts[id] ??= 0; this.#texts[id] += 1; }; drop = (id: string) => { delete this.#texts[id]; }; }',
    ['#texts'],
  ],
  'a record in an object': [
    'const state = { texts: {} as Record<string, string> };\nexport const keep = (id: string, text: string) => { state.texts[id] = text; };',
    ['state.texts'],
  ],
  'a record that is replaced': [
    'let kept: Readonly<Record<string, string>> = {};\nexport const keep = (id: string, text: string) => { kept = { ...kept, [id]: text }; };',
    ['kept'],
  ],
  'a record by the store': [
    'const kept: Record<StoreKey, string> = {};\nexport const keep = (key: StoreKey, text: string) => { kept[key] = text; };',
    [],
  ],
  'a record of one call': [
    'export const name = (ids: string[]) => { const known: Record<string, number> = {}; for (const id of ids) known[id] = 1; return ids.map((id) => known[id]); };',
    [],
  ],
  'a list': ['const kept: string[] = [];\nexport const keep = (at: number, text: string) => { kept[at] = text; };', []],
  'by the store': [
    'export class Flights { readonly #flying = new Map<StoreKey, Promise<string>>(); get = (key: StoreKey) => this.#flying.get(key); }',
    [],
  ],
  'of one call': [
    'export const names = (ids: string[]) => { const known = new Map<string, string>(); return ids.map((id) => known.get(id)); };',
    [],
  ],
  'a constant': [
    "const WORDS: ReadonlySet<string> = new Set(['a']);\nexport const isWord = (text: string) => WORDS.has(text);",
    [],
  ],
  'by objects and words': [
    "export class Open { readonly sockets = new Set<object>(); readonly heard = new Map<'a' | 'b', number>(); }",
    [],
  ],
  'a key of a tag': ['export const make = (tag: string) => storeKey(tag);', ['storeKey(tag)']],
  'a claimed key': [
    'export const make = (id: string, keys: string[]) => [id as StoreKey, <StoreKey>id, keys as unknown as StoreKey];',
    ['id as StoreKey', '<StoreKey>id', 'keys as unknown as StoreKey'],
  ],
  'a key by another name': [
    'type Mine = StoreKey;\nexport const make = (id: string) => id as Mine;\nexport const isKey = (id: string): id is Mine => id.length === 36;',
    ['id as Mine', 'id is Mine'],
  ],
  'a key of a store': [
    'export const make = (storeId: string, row: { storeId: string }, store: { id: string }) => [storeKey(storeId), storeKey(row.storeId), storeKey(storeKey(store.id), "part")];',
    [],
  ],
};

const plantedPath = (name: string): string => join(root, `src/adapters/planted-${name.replaceAll(' ', '-')}.ts`);

let program: ts.Program;
beforeAll(() => {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const host = ts.createCompilerHost(options);
  const planted = new Map(Object.entries(PLANTED).map(([name, [text]]) => [plantedPath(name), IMPORTS + text]));
  const { readFile, fileExists } = host;
  host.readFile = (path) => planted.get(path) ?? readFile(path);
  host.fileExists = (path) => planted.has(path) || fileExists(path);
  program = ts.createProgram([...sources().map((path) => join(root, path)), ...planted.keys()], options, host);
}, 120_000);

// The memory adapter is of the tests alone, and what Prisma generates keeps nothing.
const sources = (): string[] => sourceFiles('src').filter((path) => !/^src\/(generated|adapters\/memory)\//.test(path));

const inFile = (path: string, find: typeof sharedWithoutStore): string[] => {
  const file = program.getSourceFile(path);
  if (!file) throw new Error(`${path} is not in the program`);
  return find(file, program.getTypeChecker());
};
const inSources = (find: typeof sharedWithoutStore): string[] =>
  sources().flatMap((path) => inFile(join(root, path), find).map((name) => `${path} ${name}`));

describe('memory that requests share', { timeout: 120_000 }, () => {
  it('is kept by store, but for what is listed with its reason', () => {
    expect(inSources(sharedWithoutStore).sort()).toEqual(
      [...Object.keys(EXCEPTIONS), ...engineFolders().flatMap(ofEngine)].sort(),
    );
  });

  it('has keys that are made of the id of a store', () => {
    expect(inSources(keysWithoutStore)).toEqual([]);
    expect(inSources(claimedKeys)).toEqual(['src/domain/store-key.ts (storeId + part) as StoreKey']);
  });

  it.each(Object.entries(PLANTED))('planted: %s', (name, [, found]) => {
    const path = plantedPath(name);
    expect([sharedWithoutStore, keysWithoutStore, claimedKeys].flatMap((find) => inFile(path, find))).toEqual(found);
  });

  it('takes no text for a key', () => {
    const kept = new Map<StoreKey, string>([[storeKey('store', 'id'), 'text']]);
    // @ts-expect-error A key without its store does not compile.
    expect(kept.get('storeid')).toBe('text');
  });
});

/** Locks by the id of a row that no other store has. */
const ROW_LOCKS = [
  "'gate/' || $scope",
  "'gate/' || scope",
  "'${LOCKS[work]}/' || ${id}",
  "'delivery/' || s.id",
  "'keys/' || $installationId",
];

it('every advisory lock has the store in its name, or is of one row that no other store has', () => {
  const names = sourceFiles('src/adapters/prisma').flatMap((path) =>
    [...textOf(path).matchAll(/hashtextextended\((.+?), 0\)/g)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !/\$storeId\b/.test(name) && !ROW_LOCKS.includes(name))).toEqual([]);
});
