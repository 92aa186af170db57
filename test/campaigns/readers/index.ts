import { readArguments } from '../kit/arguments.ts';
import { keepSection, RELIABILITY } from '../kit/report.ts';
import { runCampaign } from './campaign.ts';
import { BUGS } from './node/bugs.ts';
import { reportOf } from './report.ts';

const WHOLE = 1_000_000;
const USAGE = `npm run readers -- [--reads=<n>] [--seed=<n>] [--plant=<bug>]

The default is ${WHOLE.toLocaleString('en')} reads. From that number on, the result is written to docs/reliability.md.
Bugs: ${BUGS.join(', ')}
`;

const { values, oneOf, positive, commandOf } = readArguments(USAGE, {
  reads: { type: 'string', default: String(WHOLE) },
  seed: { type: 'string', default: '1' },
  plant: { type: 'string' },
});
const plant = oneOf('bug', BUGS, values.plant);
const reads = positive('--reads', values.reads);

const result = await runCampaign({
  reads,
  seed: positive('--seed', values.seed),
  ...(plant && { plant }),
  onReads: (count) => process.stdout.write(`${count.toLocaleString('en')} reads\n`),
});
const report = reportOf(result, commandOf('readers'));
if (reads >= WHOLE && !plant) await keepSection(RELIABILITY, 'readers', report);
process.stdout.write(`\n${report}\n`);
const { broken, judged } = result.judge;
process.stdout.write(
  `${broken.get('stale') ?? 0} stale, ${broken.get('crossed') ?? 0} crossed in ${judged.toLocaleString('en')} answers\n`,
);
for (const { rule, what } of result.judge.violations) process.stdout.write(`${rule}: ${what}\n`);
process.exit(broken.size > 0 ? 1 : 0);
