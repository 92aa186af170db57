import { beforeAll, describe, expect, it } from 'vitest';

import { lint, type Plant } from './lint.ts';

const DOMAIN = 'src/domain/values/x.ts';
const PRISMA = 'src/adapters/prisma/connection/x.ts';
const CLI = 'src/adapters/cli/commands/x.ts';
const ADAPTER = 'src/adapters/node/x.ts';
const CONSOLE = 'console/parts/x.tsx';
const TEST = 'test/http/x.ts';

const WATCHED = 'Use WatchedClient or openWatchedPool of src/adapters/postgres/.';
const REDIS = 'Use openRedis of src/adapters/redis/connection.ts.';
const RESOLVER = 'Use the port AddressResolver.';
const DIALLER = 'the dialler of src/adapters/outgoing/guard/.';
const WEBHOOK = 'src/adapters/outgoing/webhook/x.ts';
const MEDIA = 'src/adapters/outgoing/media/x.ts';
const ONE_DOOR = 'The console imports nothing of src but http/console/shared.ts.';
const PRINTER = 'Write through createPrinter()';
const LINEAR = 'regexp(no-super-linear';

/** The text, where it is, and what lint says of it. */
const REFUSED: readonly (readonly [text: string, path: string, found: string])[] = [
  ["import pg from 'pg'; export const c = new pg.Client('');", PRISMA, WATCHED],
  ["import pg from 'pg'; export const c = new pg.Pool({ max: 1 });", PRISMA, WATCHED],
  ["import pg from 'pg'; export class Mine extends pg.Client {}", PRISMA, WATCHED],
  ["import pg from 'pg'; export const { Client } = pg;", PRISMA, WATCHED],
  ["import { Client } from 'pg'; export const c = new Client('');", PRISMA, WATCHED],
  ["import { default as driver } from 'pg'; export const c = new driver.Client('');", PRISMA, WATCHED],
  ["import driver from 'pg'; export const c = new driver.Pool({});", PRISMA, WATCHED],
  ["import * as driver from 'pg'; export const c = new driver.Pool({});", PRISMA, WATCHED],
  ["import Pool from 'pg-pool'; export const c = new Pool();", PRISMA, WATCHED],
  ["import { PostgresConnection } from 'bullmq'; export const c = new PostgresConnection({});", PRISMA, WATCHED],
  ["import pg from 'pg'; export const c = new pg.Client('');", CLI, WATCHED],
  ["import { Redis } from 'ioredis'; export const redis = new Redis();", 'src/adapters/redis/x.ts', REDIS],
  ["import { Redis } from 'ioredis'; export const redis = new Redis();", ADAPTER, REDIS],
  ["import driver from 'ioredis'; export const redis = new driver();", ADAPTER, REDIS],
  ["import * as driver from 'ioredis'; export const redis = new driver.Redis();", ADAPTER, REDIS],
  ["export { Redis } from 'ioredis';", ADAPTER, REDIS],
  ["export const driver = await import('ioredis');", ADAPTER, REDIS],
  ["import { lookup } from 'node:dns/promises'; export const f = lookup;", MEDIA, RESOLVER],
  ["import dns from 'dns'; export const f = dns.lookup;", ADAPTER, RESOLVER],
  ["import { promises } from 'node:dns'; export const f = promises.lookup;", 'src/adapters/redis/connection.ts', RESOLVER],
  ["export const dns = await import('node:dns');", WEBHOOK, RESOLVER],
  ['export const f = (url: string) => fetch(url);', WEBHOOK, DIALLER],
  ['export const f = (url: string) => fetch(url);', ADAPTER, DIALLER],
  ["import { Client } from 'undici'; export const f = (url: string) => new Client(url);", WEBHOOK, DIALLER],
  [
    "import { Client } from 'undici'; export const f = (url: string) => new Client(url, { connect: { timeout: 1 } });",
    MEDIA,
    DIALLER,
  ],
  ["import { Agent } from 'undici'; export const agent = new Agent();", MEDIA, DIALLER],
  ["import { request } from 'undici'; export const f = (url: string) => request(url);", WEBHOOK, DIALLER],
  ["import * as undici from 'undici'; export const f = (url: string) => new undici.Client(url);", MEDIA, DIALLER],
  ["export const f = (text: string) => URL['canParse'](text);", DOMAIN, 'Use parseUrl'],
  ['export const f = (text: string) => URL.canParse(text);', DOMAIN, 'Use parseUrl'],
  ['export const f = (text: string) => URL.parse(text);', DOMAIN, 'Use parseUrl'],
  ['export const { canParse } = URL;', DOMAIN, 'Use parseUrl'],
  [
    'export const f = (one: AbortSignal) => AbortSignal.any([one, AbortSignal.timeout(1)]);',
    DOMAIN,
    'Use src/adapters/startup/deadline.ts',
  ],
  ['export const { timeout } = AbortSignal;', DOMAIN, 'Use src/adapters/startup/deadline.ts'],
  ["import { z } from 'zod'; export const id = z.uuid();", ADAPTER, 'Use z.guid()'],
  ["process.stdout.write('text');", CLI, PRINTER],
  ["process.stdout.write('text');", 'src/adapters/cli/x.ts', PRINTER],
  ['export const f = (context: { process: NodeJS.Process }) => context.process.stderr.fd;', CLI, PRINTER],
  ['export const { stdout } = process;', CLI, PRINTER],
  ['export const f = ({ process: { stderr: out } }: { process: NodeJS.Process }) => out;', CLI, PRINTER],
  ["console.error('text');", CLI, 'eslint(no-console)'],
  ["console.error('text');", DOMAIN, 'eslint(no-console)'],
  // Two neighbours that take the same characters, nested repeats, and a run that is tried again from each of its characters.
  [String.raw`export const f = (text: string) => /^form\s*;?\s*$/.test(text);`, DOMAIN, LINEAR],
  ['export const f = (text: string) => /^(a+)+$/.test(text);', DOMAIN, LINEAR],
  [String.raw`export const f = (text: string) => text.replace(/\/+$/, '');`, DOMAIN, LINEAR],
  [String.raw`export const f = (text: string) => new RegExp('\\s+$').test(text);`, DOMAIN, LINEAR],
  [String.raw`export const f = (text: string) => /^(a+)+$/.test(text);`, 'clients/typescript/src/x.ts', LINEAR],
  ['export default 1;', DOMAIN, 'Named exports only.'],
  [
    "import { ok } from '../result.ts'; import type { Result } from '../result.ts'; export const f = (): Result<1, never> => ok(1);",
    DOMAIN,
    'no-duplicates',
  ],
  ['export default 1;', TEST, 'Named exports only.'],
  ['export default 1;', CLI, 'Named exports only.'],
  ['export default 1;', CONSOLE, 'Named exports only.'],
  ["import { vi } from 'vitest'; await vi.waitFor(() => 1);", TEST, 'Use eventually()'],
  ["import { a } from '../../src/domain/page.ts'; export const b = a;", CONSOLE, ONE_DOOR],
  ["import type { A } from '../../src/domain/page.ts'; export type B = A;", CONSOLE, ONE_DOOR],
  ["export { a } from '../../src/domain/page.ts';", CONSOLE, ONE_DOOR],
  ["export * from '../../src/domain/page.ts';", CONSOLE, ONE_DOOR],
  ["export const load = () => import('../../src/domain/page.ts');", CONSOLE, ONE_DOOR],
  ['export const load = (name: string) => import(`../../src/domain/${name}.ts`);', CONSOLE, ONE_DOOR],
  [`export const x = [\n${'1,\n'.repeat(300)}];`, DOMAIN, 'eslint(max-lines)'],
  ['export const f = (a: 1, b: 1, c: 1, d: 1, e: 1, g: 1) => [a, b, c, d, e, g];', ADAPTER, 'eslint(max-params)'],
  ['export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];', 'src/adapters/http/x.ts', 'eslint(max-params)'],
  [`export const f = (a: number) => ${'a > 1 && '.repeat(12)}a;`, DOMAIN, 'eslint(complexity)'],
  ['export const f = (a: unknown) => a == 1;', DOMAIN, 'eslint(eqeqeq)'],
  ['export const f = (a: any): void => void a;', DOMAIN, 'typescript(no-explicit-any)'],
  ['export const f = (a?: string) => a!;', DOMAIN, 'typescript(no-non-null-assertion)'],
  ['// eslint-disable-next-line no-console -- nothing\nexport const a = 1;', DOMAIN, 'Unused eslint-disable directive'],
  // Rules that need types.
  ['export const f = (work: () => Promise<void>) => { work(); };', DOMAIN, 'typescript(no-floating-promises)'],
  ["process.on('exit', async () => { await Promise.resolve(); });", ADAPTER, 'typescript(no-misused-promises)'],
  ['export const f = async () => 1;', DOMAIN, 'typescript(require-await)'],
  ['export const f = (a: object) => `${a}`;', DOMAIN, 'typescript(restrict-template-expressions)'],
  ['export const f = (a: string) => a ?? 1;', DOMAIN, 'typescript(no-unnecessary-condition)'],
  ['export const f = (a: number | null) => a || 1;', DOMAIN, 'typescript(prefer-nullish-coalescing)'],
  ['export const f = (a: string) => JSON.parse(a).b;', DOMAIN, 'typescript(no-unsafe-member-access)'],
  ['export const f = (a: 1) => { throw a; };', DOMAIN, 'typescript(only-throw-error)'],
  ["import { useState } from 'react'; export const F = ({ a }: { a: 1 }) => { if (a) useState(1); };", CONSOLE, 'rules-of-hooks'],
  [
    "import { useEffect } from 'react'; export const F = ({ a }: { a: 1 }) => { useEffect(() => { document.title = String(a); }, []); };",
    CONSOLE,
    'exhaustive-deps',
  ],
];

const ACCEPTED: readonly (readonly [text: string, path: string])[] = [
  ["import pg from 'pg'; export const f = (error: unknown) => error instanceof pg.DatabaseError;", PRISMA],
  ["import { DatabaseError } from 'pg'; export const E = DatabaseError;", PRISMA],
  ["import pg from 'pg'; export const c = new pg.Client('');", 'src/adapters/postgres/x.ts'],
  [
    "import { Resolver } from 'node:dns/promises'; export const f = () => new Resolver();",
    'src/adapters/node/names/name-queries.ts',
  ],
  [
    "import { Client, type buildConnector } from 'undici'; export const f = (url: string, connectBy: () => buildConnector.connector) => new Client(url, { connect: connectBy() });",
    WEBHOOK,
  ],
  ["import type { Redis } from 'ioredis'; export const f = (redis: Redis) => redis.status;", ADAPTER],
  ["process.stdout.write('text');", 'src/adapters/cli/output/x.ts'],
  [String.raw`export const f = (text: string) => /^[a-z]+(?:-[a-z]+)*$/.test(text);`, DOMAIN],
  ["export { isHold } from '../../src/adapters/http/console/shared.ts';", CONSOLE],
  ["export type * from '../../src/adapters/http/console/shared.ts';", CONSOLE],
  ["export const load = () => import('../pages/x.ts');", CONSOLE],
];

const planted = ([text, path]: readonly [text: string, path: string, found?: string]): Plant => ({ text: `${text}\n`, path });
let said: string[][];
beforeAll(async () => {
  said = await lint([...REFUSED, ...ACCEPTED].map(planted));
});

describe('lint', () => {
  it.each(REFUSED.map(([text, path, found], n) => ({ text, path, found, n })))('refuses in $path: $text', ({ found, n }) => {
    expect(said[n]).toEqual(expect.arrayContaining([expect.stringContaining(found)]));
  });
  it.each(ACCEPTED.map(([text, path], n) => ({ text, path, n })))('accepts in $path: $text', ({ n }) => {
    expect(said[REFUSED.length + n]).toEqual([]);
  });
});
