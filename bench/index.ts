import { deliveries } from './cases/deliveries.ts';
import { isolation } from './cases/isolation.ts';
import { latency } from './cases/latency.ts';
import { subscriptions } from './cases/subscriptions.ts';
import { openGround } from './support/ground.ts';
import type { CaseOptions, CaseResult, Measured } from './support/report.ts';
import { keep, machine, print } from './support/report.ts';

const CASES: Readonly<Record<string, (options: CaseOptions) => Promise<CaseResult>>> = {
  deliveries,
  latency,
  subscriptions,
  isolation,
};
const PAIRS = 7;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

// npm run bench -- [case ...] [--short] [--pairs=<n>] : every case unless some are named. --short keeps nothing.
const args = process.argv.slice(2);
const short = args.includes('--short');
const pairs = Number(args.find((arg) => arg.startsWith('--pairs='))?.slice('--pairs='.length) ?? (short ? 2 : PAIRS));
const named = args.filter((arg) => !arg.startsWith('--'));
const unknown = named.filter((name) => !(name in CASES));
if (unknown.length > 0) {
  process.stderr.write(`There is no case ${unknown.join(', ')}; there are ${Object.keys(CASES).join(', ')}.\n`);
  process.exit(1);
}

const versionOfPostgres = async (): Promise<string> => {
  const ground = await openGround();
  try {
    const { rows } = await ground.pool.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? '';
  } finally {
    await ground.close();
  }
};

const versions = `Node ${process.versions.node}, PostgreSQL ${await versionOfPostgres()}`;
for (const name of named.length > 0 ? named : Object.keys(CASES)) {
  const result = await CASES[name]?.({ short, pairs });
  if (!result) continue;
  const measured: Measured = { name, ...result, date: new Date().toISOString(), machine: machine(), versions, pairs };
  print(measured);
  if (!short) keep(measured);
}
process.exit(0);
