const { readFileSync } = process.getBuiltinModule('node:fs');
const { join } = process.getBuiltinModule('node:path');

// The boundaries of README.md ("Architecture"). test/architecture/boundaries.test.ts plants a violation of each rule.

/** Independent adapters: none imports another. `http` has separate rules, because it also imports the application. */
const SIDES = 'archive|bullmq|embedded|live|node|opentelemetry|outgoing|postgres|prometheus|redis|startup';

/** The only way to open a connection to PostgreSQL, with the deadline of its statements. */
const POSTGRES = '^src/adapters/postgres/';

/** The only way to open a connection to Redis, with an end of every wait. */
const REDIS = '^src/adapters/redis/connection\\.ts$';

/**
 * Basics of a start, waits that end, and the error that main.ts prints as one line. They are below
 * every other adapter.
 */
const STARTUP = '^src/adapters/startup/';

/**
 * The interface of a storage engine. Its adapter implements it, and the wiring knows nothing else
 * of the engine.
 */
const STORAGE = '^src/adapters/storage/';

/** The engines that the wiring lists: folders of src/adapters. */
const ENGINES = [
  ...readFileSync(join(__dirname, 'src/adapters/wiring/storage.ts'), 'utf8').matchAll(/from '\.\.\/([\w-]+)\/engine\.ts'/g),
].map(([, engine]) => engine);
const engines = ENGINES.join('|');

/** The rooms of the domain, each with the rooms that it may import. */
const ROOMS = {
  identity: [],
  idempotency: [],
  webhooks: ['identity'],
  media: ['webhooks', 'identity'],
  'custom-data': ['webhooks', 'identity'],
  catalogue: ['media', 'webhooks', 'identity'],
  insight: [],
  values: [],
};
const rooms = Object.keys(ROOMS).join('|');

/** The rooms of HTTP, each with the rooms that it may import beside the kit. */
const HTTP_ROOMS = {
  identity: [],
  idempotency: [],
  catalogue: [],
  'custom-data': [],
  media: [],
  webhooks: [],
  insight: ['media', 'webhooks'],
};
const httpRooms = Object.keys(HTTP_ROOMS).join('|');

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Type imports count as well.',
      from: { path: '^src' },
      to: { circular: true },
    },
    {
      name: 'domain-imports-only-domain',
      severity: 'error',
      from: { path: '^src/domain' },
      to: { pathNot: '^src/domain' },
    },
    ...Object.entries(ROOMS).map(([room, allowed]) => ({
      name: `domain-${room}-imports-${allowed.join('-and-') || 'no-other-room'}`,
      severity: 'error',
      comment: 'Every room may use values/, ports/ and the files beside the rooms.',
      from: { path: `^src/domain/${room}/` },
      to: { path: `^src/domain/(${rooms})/`, pathNot: `^src/domain/(${[room, 'values', ...allowed].join('|')})/` },
    })),
    {
      name: 'application-rooms-do-not-import-each-other',
      severity: 'error',
      comment: 'Only index.ts knows all of them.',
      from: { path: '^src/application/([^/]+)/' },
      to: { path: '^src/application/', pathNot: '^src/application/$1/' },
    },
    {
      name: 'the-delivery-turn-has-two-doors',
      severity: 'error',
      comment: 'Its files change together. A worker takes a turn, and the merchant has one attempt made.',
      from: { path: '^src', pathNot: '^src/application/webhooks/delivery/' },
      to: { path: '^src/application/webhooks/delivery/', pathNot: '/(deliver-due|try-now)\\.ts$' },
    },
    {
      name: 'application-imports-only-domain',
      severity: 'error',
      from: { path: '^src/application' },
      to: { pathNot: '^src/(domain|application)' },
    },
    {
      name: 'adapters-import-no-other-adapter',
      severity: 'error',
      comment: 'What two adapters share belongs to the domain, or is handed in by the container.',
      from: { path: `^src/adapters/(${SIDES}|http)/` },
      to: { path: '^src/(adapters|generated)/', pathNot: ['^src/adapters/$1/', POSTGRES, REDIS, STARTUP] },
    },
    ...Object.entries(HTTP_ROOMS).map(([room, allowed]) => ({
      name: `http-${room}-imports-${allowed.join('-and-') || 'no-other-room'}`,
      severity: 'error',
      from: { path: `^src/adapters/http/${room}/` },
      to: { path: `^src/adapters/http/(${httpRooms})/`, pathNot: `^src/adapters/http/(${[room, ...allowed].join('|')})/` },
    })),
    {
      name: 'http-rooms-are-known-above-them-alone',
      severity: 'error',
      comment: 'The line of a request and the kit serve every room.',
      from: {
        path: '^src/adapters/http/',
        pathNot: `^src/adapters/http/((${httpRooms}|openapi)/|(routes|answers|console/shared)\\.ts$)`,
      },
      to: { path: `^src/adapters/http/((${httpRooms}|openapi)/|(routes|answers)\\.ts$)` },
    },
    {
      name: 'http-rooms-do-not-know-their-lists',
      severity: 'error',
      from: { path: `^src/adapters/http/(${httpRooms})/` },
      to: { path: '^src/adapters/http/(openapi/|(routes|answers)\\.ts$)' },
    },
    {
      name: 'only-outgoing-goes-out',
      severity: 'error',
      comment: 'The guard judges each address. Webhooks and media share it, and know nothing of each other.',
      from: { path: '^src', pathNot: '^src/adapters/outgoing/' },
      to: { path: '^src/adapters/outgoing/guard/' },
    },
    {
      name: 'outgoing-rooms-import-only-the-guard',
      severity: 'error',
      from: { path: '^src/adapters/outgoing/([^/]+)/' },
      to: { path: '^src/adapters/outgoing/', pathNot: '^src/adapters/outgoing/($1|guard)/' },
    },
    {
      name: 'only-these-connect-by-themselves',
      severity: 'error',
      comment:
        'Listeners, the command line, the demo, and checks of our own servers. Addresses that clients give are dialled by the guard, which resolves their names by its port.',
      from: {
        path: '^src/adapters/',
        pathNot: [
          '^src/adapters/(startup|http|cli|demo|wiring/doctor|outgoing/guard)/',
          '^src/adapters/outgoing/(webhook/receiver-connection|media/download)\\.ts$',
        ],
      },
      to: {
        path: '^(node:)?(net|tls|https?|http2|dgram)$|(^|node_modules/)undici(/|$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-what-keeps-rows-connects',
      severity: 'error',
      comment: 'Prisma for the rows, BullMQ for its jobs, and the embedded server for its first database.',
      from: { path: '^src', pathNot: '^src/adapters/(postgres|prisma|bullmq|embedded)/' },
      to: { path: POSTGRES },
    },
    {
      name: 'only-bullmq-and-the-wiring-open-redis',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/adapters/(redis|bullmq|wiring)/' },
      to: { path: REDIS },
    },
    {
      name: 'an-engine-imports-no-other-adapter',
      severity: 'error',
      from: { path: `^src/adapters/(${engines})/` },
      to: { path: '^src/adapters/', pathNot: ['^src/adapters/$1/', POSTGRES, STARTUP, STORAGE] },
    },
    {
      name: 'prisma-rooms-import-only-what-they-share',
      severity: 'error',
      comment:
        'Identity also drops the deliveries of what it removes, and looks a token and a key up together. Webhooks render the product that an event brings.',
      from: { path: `^src/adapters/prisma/(${rooms})/` },
      to: {
        path: '^src/adapters/prisma/',
        pathNot: [
          '^src/adapters/prisma/($1|connection|reading|work)/',
          '^src/adapters/prisma/(webhooks/queue/(ending|queue-row)|idempotency/key-record|catalogue/product-document)\\.ts$',
        ],
      },
    },
    {
      name: 'prisma-connection-imports-no-room',
      severity: 'error',
      from: { path: '^src/adapters/prisma/connection/' },
      to: { path: '^src/adapters/prisma/', pathNot: '^src/adapters/prisma/connection/' },
    },
    {
      name: 'prisma-work-imports-only-the-connection',
      severity: 'error',
      comment: 'Every room uses it.',
      from: { path: '^src/adapters/prisma/work/' },
      to: { path: '^src/adapters/', pathNot: ['^src/adapters/prisma/(work|connection)/', STARTUP, STORAGE] },
    },
    {
      name: 'storage-is-chosen-in-one-place',
      severity: 'error',
      comment: 'Another engine takes the place of the whole folder (docs/storage-adapters.md).',
      from: { path: '^src', pathNot: `^src/adapters/((${engines})/|wiring/storage\\.ts$)` },
      to: { path: `^src/adapters/(${engines})/` },
    },
    {
      name: 'an-engine-has-one-door',
      severity: 'error',
      from: { path: '^src/adapters/wiring/storage\\.ts$' },
      to: { path: `^src/adapters/(${engines})/`, pathNot: `^src/adapters/(${engines})/engine\\.ts$` },
    },
    {
      name: 'storage-imports-only-the-domain',
      severity: 'error',
      from: { path: STORAGE },
      to: { path: '^src/', pathNot: ['^src/domain/', STORAGE] },
    },
    {
      name: 'only-http-the-demo-and-the-wiring-know-the-application',
      severity: 'error',
      from: { path: '^src/adapters/', pathNot: '^src/adapters/(http|demo|wiring)/' },
      to: { path: '^src/application/' },
    },
    {
      name: 'only-the-container-imports-tsyringe',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/adapters/wiring/ports/container\\.ts$' },
      to: { path: '(^|node_modules/)tsyringe' },
    },
    {
      name: 'only-one-adapter-knows-opentelemetry',
      severity: 'error',
      comment: 'Its SDK is loaded only where a collector is set.',
      from: { path: '^src', pathNot: '^src/adapters/opentelemetry/' },
      to: { path: '(^|node_modules/)@opentelemetry/' },
    },
    {
      name: 'only-prisma-imports-prisma',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/(adapters/prisma|generated)/' },
      to: { path: '^src/generated/|(^|node_modules/)@prisma/' },
    },
    {
      name: 'nothing-imports-main-or-tests',
      severity: 'error',
      from: { path: '^src' },
      to: { path: '^(src/main\\.ts$|test/)' },
    },
    { name: 'no-unresolvable', severity: 'error', from: { path: '^src' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^src/generated' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js'],
    },
  },
};
