// The boundaries of README.md ("Architecture"). test/architecture/boundaries.test.ts plants a violation of each rule.

/** Adapters that stand alone: none imports another. `http` is told apart: it imports the application too. */
const SIDES = 'bullmq|embedded|media|memory|node|outbound|redis|webhook';

/** What adapters that go out to addresses of others share: the guard. */
const OUTBOUND = '^src/adapters/outbound/';

/** What main.ts prints as one line when the service can't start; whoever finds the reason throws it. */
const STOPS_THE_START = '^src/adapters/(start-failure|data-directory)\\.ts$';

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
      name: 'only-http-the-worker-and-the-container-know-the-application',
      severity: 'error',
      from: { path: '^src/adapters/', pathNot: '^src/adapters/(http/|cli/|worker\\.ts$|container\\.ts$)' },
      to: { path: '^src/application/' },
    },
    {
      name: 'only-the-container-imports-tsyringe',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/adapters/container\\.ts$' },
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
