import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { exitOnSignals } from '../../../src/adapters/startup/stop-signals.ts';
import { keepSection } from '../../../bench/support/section.ts';
import { runCampaign } from './campaign.ts';
import { PLANTS } from './node/plants.ts';
import { reportOf } from './report.ts';

const WHOLE = 1_000_000;
const USAGE = `npm run readers -- [--reads=<n>] [--seed=<n>] [--plant=<bug>]

The default is ${WHOLE.toLocaleString('en')} reads. From that number on, the result is written to docs/reliability.md.
Bugs: ${PLANTS.join(', ')}
`;

const fail = (message: string): never => {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
};

const positive = (name: string, given: string): number => {
  const value = Number(given);
  return value > 0 ? value : fail(`${name} must be a number above 0.`);
};

const { values } = parseArgs({
  options: {
    reads: { type: 'string', default: String(WHOLE) },
    seed: { type: 'string', default: '1' },
    plant: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const plant =
  values.plant === undefined
    ? undefined
    : (PLANTS.find((name) => name === values.plant) ?? fail(`There is no bug ${values.plant}.`));
const reads = positive('--reads', values.reads);

// Started processes end with the campaign.
exitOnSignals();

const result = await runCampaign({
  reads,
  seed: positive('--seed', values.seed),
  ...(plant && { plant }),
  onReads: (count) => process.stdout.write(`${count.toLocaleString('en')} reads\n`),
});
const report = reportOf(result, ['npm run readers --', ...process.argv.slice(2)].join(' '));
if (reads >= WHOLE && !plant)
  await keepSection(fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url)), 'readers', report);
process.stdout.write(`\n${report}\n`);
const { broken, judged } = result.judge;
process.stdout.write(
  `${broken.get('stale') ?? 0} stale, ${broken.get('crossed') ?? 0} crossed in ${judged.toLocaleString('en')} answers\n`,
);
for (const { rule, what } of result.judge.violations) process.stdout.write(`${rule}: ${what}\n`);
process.exit(broken.size > 0 ? 1 : 0);
