import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { root } from './source.ts';

const config = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as IConfiguration;
const { tsConfig: _, enhancedResolveOptions, ...options } = config.options ?? {};

/** Reads the sources below `baseDir`/src with the project's rules. */
const read = async (baseDir: string): Promise<ICruiseResult> => {
  const { output } = await cruise(
    ['src'],
    { ...options, baseDir, validate: true, ruleSet: { forbidden: config.forbidden ?? [] } },
    enhancedResolveOptions,
    { tsConfig: extractTSConfig(join(root, 'tsconfig.json')) },
  );
  return output as ICruiseResult;
};

/** The names of the rules that a tree of these files breaks. */
const broken = async (files: Record<string, string>): Promise<string[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'tenon-boundaries-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    const { summary } = await read(directory);
    return [...new Set(summary.violations.map((violation) => violation.rule.name))].sort();
  } finally {
    rmSync(directory, { recursive: true });
  }
};

const leaf = 'export const leaf = 1;\n';
const imports = (path: string) => `import { leaf } from '${path}';\nexport const planted = leaf;\n`;

/** A violation of each rule: the files that break it and no other. */
const violations: Record<string, Record<string, string>[]> = {
  'no-cycles': [
    {
      'src/domain/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
      'src/domain/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
    },
  ],
  'domain-imports-only-domain': [
    { 'src/domain/a.ts': "import { join } from 'node:path';\nexport const a = join;\n" },
    { 'src/domain/a.ts': imports('../application/b.ts'), 'src/application/b.ts': leaf },
    { 'src/domain/a.ts': imports('../adapters/node/b.ts'), 'src/adapters/node/b.ts': leaf },
    {
      'src/domain/a.ts': "import type { B } from '../application/b.ts';\nexport type A = B;\n",
      'src/application/b.ts': 'export type B = 1;\n',
    },
  ],
  ...Object.fromEntries(
    [
      ['identity', 'webhooks', 'no-other-room'],
      ['idempotency', 'identity', 'no-other-room'],
      ['webhooks', 'catalogue', 'identity'],
      ['media', 'catalogue', 'webhooks-and-identity'],
      ['custom-data', 'catalogue', 'webhooks-and-identity'],
      ['catalogue', 'custom-data', 'media-and-webhooks-and-identity'],
      ['insight', 'webhooks', 'no-other-room'],
      ['values', 'identity', 'no-other-room'],
    ].map(([room = '', other = '', allowed = '']) => [
      `domain-${room}-imports-${allowed}`,
      [{ [`src/domain/${room}/a.ts`]: imports(`../${other}/b.ts`), [`src/domain/${other}/b.ts`]: leaf }],
    ]),
  ),
  'application-rooms-do-not-import-each-other': [
    { 'src/application/webhooks/a.ts': imports('../catalogue/b.ts'), 'src/application/catalogue/b.ts': leaf },
    { 'src/application/webhooks/a.ts': imports('../index.ts'), 'src/application/index.ts': leaf },
  ],
  'the-delivery-turn-has-two-doors': [
    {
      'src/adapters/wiring/a.ts': imports('../../application/webhooks/delivery/run-turn.ts'),
      'src/application/webhooks/delivery/run-turn.ts': leaf,
    },
  ],
  'application-imports-only-domain': [
    { 'src/application/a.ts': imports('../adapters/node/b.ts'), 'src/adapters/node/b.ts': leaf },
    { 'src/application/a.ts': "import { createHash } from 'node:crypto';\nexport const a = createHash;\n" },
  ],
  'adapters-import-no-other-adapter': [
    { 'src/adapters/http/a.ts': imports('../node/b.ts'), 'src/adapters/node/b.ts': leaf },
    { 'src/adapters/live/a.ts': imports('../embedded/b.ts'), 'src/adapters/embedded/b.ts': leaf },
    { 'src/adapters/redis/a.ts': imports('../node/b.ts'), 'src/adapters/node/b.ts': leaf },
    { 'src/adapters/http/a.ts': imports('../wiring/ports/container.ts'), 'src/adapters/wiring/ports/container.ts': leaf },
    { 'src/adapters/startup/a.ts': imports('../node/b.ts'), 'src/adapters/node/b.ts': leaf },
  ],
  ...Object.fromEntries(
    [
      ['identity', 'webhooks', 'no-other-room'],
      ['idempotency', 'identity', 'no-other-room'],
      ['catalogue', 'webhooks', 'no-other-room'],
      ['custom-data', 'catalogue', 'no-other-room'],
      ['media', 'catalogue', 'no-other-room'],
      ['webhooks', 'insight', 'no-other-room'],
      ['insight', 'identity', 'media-and-webhooks'],
    ].map(([room = '', other = '', allowed = '']) => [
      `http-${room}-imports-${allowed}`,
      [{ [`src/adapters/http/${room}/a.ts`]: imports(`../${other}/b.ts`), [`src/adapters/http/${other}/b.ts`]: leaf }],
    ]),
  ),
  'http-rooms-are-known-above-them-alone': [
    { 'src/adapters/http/kit/a.ts': imports('../webhooks/b.ts'), 'src/adapters/http/webhooks/b.ts': leaf },
    { 'src/adapters/http/serving/a.ts': imports('../identity/b.ts'), 'src/adapters/http/identity/b.ts': leaf },
    { 'src/adapters/http/console/a.ts': imports('../routes.ts'), 'src/adapters/http/routes.ts': leaf },
  ],
  'http-rooms-do-not-know-their-lists': [
    { 'src/adapters/http/media/a.ts': imports('../routes.ts'), 'src/adapters/http/routes.ts': leaf },
    { 'src/adapters/http/insight/a.ts': imports('../openapi/b.ts'), 'src/adapters/http/openapi/b.ts': leaf },
  ],
  'only-outgoing-goes-out': [
    { 'src/adapters/wiring/ports/ports.ts': imports('../../outgoing/guard/b.ts'), 'src/adapters/outgoing/guard/b.ts': leaf },
  ],
  'outgoing-rooms-import-only-the-guard': [
    { 'src/adapters/outgoing/guard/a.ts': imports('../webhook/b.ts'), 'src/adapters/outgoing/webhook/b.ts': leaf },
    { 'src/adapters/outgoing/media/a.ts': imports('../webhook/b.ts'), 'src/adapters/outgoing/webhook/b.ts': leaf },
  ],
  'only-these-connect-by-themselves': [
    { 'src/adapters/outgoing/webhook/a.ts': "import { request } from 'node:https';\nexport const a = request;\n" },
    { 'src/adapters/node/a.ts': "import { connect } from 'net';\nexport const a = connect;\n" },
    {
      'src/adapters/outgoing/media/a.ts': "import { fetch } from 'undici';\nexport const a = fetch;\n",
      'node_modules/undici/package.json': '{"name":"undici","main":"index.js"}',
      'node_modules/undici/index.js': 'exports.fetch = {};\n',
    },
  ],
  'only-what-keeps-rows-connects': [
    { 'src/adapters/wiring/a.ts': imports('../postgres/b.ts'), 'src/adapters/postgres/b.ts': leaf },
    { 'src/adapters/http/a.ts': imports('../postgres/b.ts'), 'src/adapters/postgres/b.ts': leaf },
  ],
  'only-bullmq-and-the-wiring-open-redis': [
    { 'src/adapters/live/a.ts': imports('../redis/connection.ts'), 'src/adapters/redis/connection.ts': leaf },
  ],
  'an-engine-imports-no-other-adapter': [{ 'src/adapters/prisma/a.ts': imports('../node/b.ts'), 'src/adapters/node/b.ts': leaf }],
  'prisma-rooms-import-only-what-they-share': [
    { 'src/adapters/prisma/media/a.ts': imports('../catalogue/b.ts'), 'src/adapters/prisma/catalogue/b.ts': leaf },
    { 'src/adapters/prisma/media/a.ts': imports('../index.ts'), 'src/adapters/prisma/index.ts': leaf },
  ],
  'prisma-connection-imports-no-room': [
    { 'src/adapters/prisma/connection/a.ts': imports('../work/b.ts'), 'src/adapters/prisma/work/b.ts': leaf },
  ],
  'prisma-work-imports-only-the-connection': [
    { 'src/adapters/prisma/work/a.ts': imports('../webhooks/b.ts'), 'src/adapters/prisma/webhooks/b.ts': leaf },
  ],
  'only-http-the-demo-and-the-wiring-know-the-application': [
    { 'src/adapters/prisma/a.ts': imports('../../application/b.ts'), 'src/application/b.ts': leaf },
  ],
  'only-the-container-imports-tsyringe': [
    {
      'src/adapters/cli/a.ts': "import { container } from 'tsyringe';\nexport const a = container;\n",
      'node_modules/tsyringe/package.json': '{"name":"tsyringe","main":"index.js"}',
      'node_modules/tsyringe/index.js': 'exports.container = {};\n',
    },
  ],
  'storage-is-chosen-in-one-place': [
    { 'src/adapters/wiring/a.ts': imports('../prisma/index.ts'), 'src/adapters/prisma/index.ts': leaf },
    { 'src/adapters/cli/a.ts': imports('../prisma/connection/b.ts'), 'src/adapters/prisma/connection/b.ts': leaf },
  ],
  'an-engine-has-one-door': [{ 'src/adapters/wiring/storage.ts': imports('../prisma/b.ts'), 'src/adapters/prisma/b.ts': leaf }],
  'storage-imports-only-the-domain': [
    { 'src/adapters/storage/a.ts': imports('../startup/b.ts'), 'src/adapters/startup/b.ts': leaf },
  ],
  'only-one-adapter-knows-opentelemetry': [
    {
      'src/adapters/wiring/a.ts': "import { trace } from '@opentelemetry/api';\nexport const a = trace;\n",
      'node_modules/@opentelemetry/api/package.json': '{"name":"@opentelemetry/api","main":"index.js"}',
      'node_modules/@opentelemetry/api/index.js': 'exports.trace = {};\n',
    },
  ],
  'only-prisma-imports-prisma': [{ 'src/adapters/cli/a.ts': imports('../../generated/b.ts'), 'src/generated/b.ts': leaf }],
  'nothing-imports-main-or-tests': [
    { 'src/adapters/cli/a.ts': imports('../../main.ts'), 'src/main.ts': leaf },
    { 'src/adapters/cli/a.ts': imports('../../../test/support/b.ts'), 'test/support/b.ts': leaf },
  ],
  'no-unresolvable': [{ 'src/adapters/cli/a.ts': imports('./missing.ts') }],
};

describe('boundaries', () => {
  // `npm run boundaries` reads all of src by them.
  it('leave out nothing but generated code', () => {
    expect(options).toEqual({ doNotFollow: { path: 'node_modules|^src/generated' }, tsPreCompilationDeps: true });
  });

  it('each rule has a planted violation', () => {
    expect(Object.keys(violations).sort()).toEqual((config.forbidden ?? []).map((rule) => rule.name ?? '').sort());
  });

  it.each(Object.entries(violations).flatMap(([rule, plants]) => plants.map((files) => [rule, files] as const)))(
    '%s catches %o',
    async (rule, files) => {
      expect(await broken(files)).toEqual([rule]);
    },
  );

  it('allowed imports pass', async () => {
    const allowed = {
      'src/domain/leaf.ts': leaf,
      'src/domain/catalogue/a.ts': imports('../media/b.ts'),
      'src/domain/media/b.ts': leaf,
      'src/application/use.ts': imports('../domain/leaf.ts'),
      'src/adapters/http/a.ts': imports('../../application/use.ts').replace('{ leaf }', '{ planted as leaf }'),
      'src/adapters/outgoing/webhook/a.ts': imports('../guard/leaf.ts'),
      'src/adapters/outgoing/guard/leaf.ts': leaf,
      'src/adapters/prisma/index.ts': imports('../../generated/client.ts'),
      'src/adapters/prisma/engine.ts': imports('./index.ts').replace('{ leaf }', '{ planted as leaf }'),
      'src/adapters/wiring/storage.ts': imports('../prisma/engine.ts').replace('{ leaf }', '{ planted as leaf }'),
      'src/adapters/bullmq/a.ts': imports('../postgres/leaf.ts'),
      'src/adapters/postgres/leaf.ts': leaf,
      'src/generated/client.ts': leaf,
      'src/adapters/wiring/ports/container.ts':
        "import { planted } from '../../http/a.ts';\nimport * as storage from '../storage.ts';\nexport const all = [planted, storage];\n",
    };
    expect(await broken(allowed)).toEqual([]);
  });
});
