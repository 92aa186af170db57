// The boundaries of README.md ("Architecture"). test/architecture/boundaries.test.ts plants a violation of each rule.

/** Independent adapters: none imports another. `http` has separate rules, because it also imports the application. */
const SIDES = 'archive|bullmq|cluster|console|embedded|media|memory|node|outbound|redis|webhook';

/** What adapters that go out to addresses of others share: the guard. */
const OUTBOUND = '^src/adapters/outbound/';

/** The error that main.ts prints as one line when the service cannot start. The code that finds the reason throws it. */
const STOPS_THE_START = '^src/adapters/wiring/(start-failure|data-directory)\\.ts$';

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

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Type imports may point both ways (a port and the list of ports); code may not.',
      from: { path: '^src' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
      to: { path: '^src/(adapters|generated)/', pathNot: ['^src/adapters/$1/', OUTBOUND, STOPS_THE_START] },
    },
    {
      name: 'only-webhook-and-media-go-out',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/adapters/(outbound|webhook|media)/' },
      to: { path: OUTBOUND },
    },
    {
      name: 'prisma-imports-only-generated',
      severity: 'error',
      from: { path: '^src/adapters/prisma/' },
      to: { path: '^src/adapters/', pathNot: ['^src/adapters/prisma/', STOPS_THE_START] },
    },
    {
      name: 'prisma-rooms-import-only-what-they-share',
      severity: 'error',
      comment: 'Identity also drops the deliveries of what it removes, and looks a token and a key up together.',
      from: { path: `^src/adapters/prisma/(${rooms})/` },
      to: {
        path: '^src/adapters/prisma/',
        pathNot: [
          '^src/adapters/prisma/($1|connection|reading|work)/',
          '^src/adapters/prisma/(webhooks/delivery-drop|idempotency/key-record)\\.ts$',
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
      name: 'production-imports-no-memory',
      severity: 'error',
      comment: 'Test doubles are left out of the build.',
      from: { path: '^src', pathNot: '^src/adapters/memory/' },
      to: { path: '^src/adapters/memory/' },
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
      from: { path: '^src', pathNot: '^src/adapters/wiring/container\\.ts$' },
      to: { path: '(^|node_modules/)tsyringe' },
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
