import pg from 'pg';

import { openEnvironment } from '../../../bench/support/environment.ts';
import { readArguments } from '../kit/arguments.ts';
import { keepSection, RELIABILITY } from '../kit/report.ts';
import { addresses } from './cases/addresses.ts';
import { guard } from './cases/guard.ts';
import { heads } from './cases/heads.ts';
import { isolation } from './cases/isolation.ts';
import { json } from './cases/json.ts';
import { load } from './cases/load.ts';
import { names } from './cases/names.ts';
import { properties } from './cases/properties.ts';
import { secrets } from './cases/secrets.ts';
import { slow } from './cases/slow.ts';
import { strangers } from './cases/strangers.ts';
import { strings } from './cases/strings.ts';
import type { Case, Environment } from './support/campaign.ts';
import { openAttacker } from './support/attacker.ts';
import { sectionOf, violationsText, type Outcome } from './support/report.ts';
import { openSite, type Site } from './support/site.ts';

const CASES: Readonly<Record<string, Case>> = {
  properties,
  json,
  strings,
  heads,
  addresses,
  isolation,
  secrets,
  slow,
  strangers,
  names,
  guard,
  load,
};

const HELP = `npm run hostile -- [--seed <n>] [--requests <n>] [--only <case>] [--short] [--keep] [--database <url>]

  --seed <n>       of the property-based requests; the same seed makes the same ones (20261121)
  --requests <n>   property-based requests at least (20000; 400 with --short)
  --only <case>    this case alone; may be given again (all but load): ${Object.keys(CASES).join(', ')}
  --short          less of everything, under a minute
  --keep           writes the figures into docs/reliability.md
  --operation <regex> the case guard: only operations whose "METHOD /path" matches this
  --preload <module>  the case guard: a module of test/support that the server loads first, to plant a fault
  --database <url> a PostgreSQL whose user may create databases, in place of one of its own
`;

const environmentOf = async (url: string | undefined): Promise<Environment> => {
  if (url === undefined) return openEnvironment();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  return { databaseUrl: url, pool, close: () => pool.end() };
};

const { values, fail, positive } = readArguments(HELP, {
  seed: { type: 'string', default: '20261121' },
  requests: { type: 'string' },
  only: { type: 'string', multiple: true },
  short: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  database: { type: 'string' },
  operation: { type: 'string' },
  preload: { type: 'string' },
});
const { short } = values;
const seed = positive('--seed', values.seed);
const requests = positive('--requests', values.requests ?? (short ? '400' : '20000'));
// Input and load are two campaigns, each with a section of its own; in short they are one.
const chosen = values.only ?? Object.keys(CASES).filter((name) => short || name !== 'load');
const isLoad = chosen.join() === 'load';
const unknown = chosen.filter((name) => !(name in CASES));
if (unknown.length > 0) fail(`There is no case ${unknown.join(', ')}. The cases are: ${Object.keys(CASES).join(', ')}.`);

const environment = await environmentOf(values.database);
const attacker = openAttacker();
const outcomes: Outcome[] = [];
// The most that a log may say.
let shared: Promise<Site> | undefined;
const site = (): Promise<Site> => (shared ??= openSite(environment, attacker, { LOG_LEVEL: 'trace' }));
for (const name of chosen) {
  const one = CASES[name]!;
  const before = { requests: attacker.requests(), violations: attacker.violations.length, at: performance.now() };
  const figures = await one.run({
    environment,
    attacker,
    site,
    seed,
    requests,
    short,
    preload: values.preload,
    only: values.operation,
  });
  const outcome = {
    name,
    about: one.about,
    figures,
    requests: attacker.requests() - before.requests,
    violations: attacker.violations.length - before.violations,
    seconds: Math.round((performance.now() - before.at) / 1000),
  };
  outcomes.push(outcome);
  const sign = outcome.violations === 0 ? '✓' : '✗';
  process.stdout.write(`${sign} ${name}: ${outcome.requests} requests, ${outcome.seconds} s, ${JSON.stringify(figures)}\n`);
}
await (await shared)?.stop();
await attacker.close();
await environment.close();
const command = [
  'npm run hostile --',
  `--seed ${seed}`,
  `--requests ${requests}`,
  ...(values.only ?? []).map((name) => `--only ${name}`),
].join(' ');
const section = sectionOf(isLoad ? 'Load' : 'Hostile input', attacker, outcomes, command);
process.stdout.write(`\n${section}\n\n${violationsText(attacker.violations)}`);
if (values.keep) await keepSection(RELIABILITY, isLoad ? 'load' : 'hostile', section);
process.exit(attacker.violations.length > 0 ? 1 : 0);
