import { readArguments } from '../kit/arguments.ts';
import { keepSection, RELIABILITY } from '../kit/report.ts';
import { coursesOf, runCampaign, runFailovers, type Round } from './campaign.ts';
import { failoverReportOf } from './failover-report.ts';
import { citusAvailable } from '../../support/citus-available.ts';
import { BRIEF, COURSES, isKind, LASTING, ON_CITUS } from './kinds/index.ts';
import { BUGS } from './node/commands.ts';
import { reportOf, roundText, violationsOf } from './report.ts';

const USAGE = `npm run faults -- [--minutes=<n>] [--seed=<n>] [--short] [--only=<kind>,...] [--queue=postgres|redis] [--citus] [--plant=<bug>] [--report=<file>]
npm run faults -- --failovers=<n> [--asynchronous] [--seed=<n>] [--only=<course>,...] [--queue=postgres|redis] [--plant=<bug>] [--report=<file>]

The default is 60 minutes. The seed (1 by default) decides the order of the faults, but not their exact time.
Short:   each kind at least once, in two rounds, and nothing is written.
Kinds:   ${BRIEF.join(', ')}
         and those that last up to a minute: ${LASTING.join(', ')}.
         With --citus, which has a coordinator and two workers in place of one PostgreSQL: ${ON_CITUS.join(', ')}.
         Those at a point take it along: --only="kill-at-point=key.lock:after".
Failovers: at least this many promotions of a standby, while commits wait for it or, if asynchronous, do not.
Courses: ${COURSES.join(', ')}
Bugs:    ${BUGS.join(', ')}
Report:  a section of docs/reliability.md by a whole campaign, of this file by any; ends with 1 where a promise was broken.
`;

const { values, fail, oneOf, positive, commandOf } = readArguments(USAGE, {
  minutes: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  queue: { type: 'string' },
  plant: { type: 'string' },
  report: { type: 'string' },
  short: { type: 'boolean', default: false },
  citus: { type: 'boolean', default: false },
  failovers: { type: 'string' },
  asynchronous: { type: 'boolean', default: false },
});
const { failovers, asynchronous: isAsynchronous, short, citus: isCitus } = values;
if (isCitus && !citusAvailable) fail('Citus is not installed for PostgreSQL 15. See docs/citus.md.');
if (failovers === undefined && isAsynchronous) fail('--asynchronous is for --failovers.');
if (failovers !== undefined && short) fail('--short is not for --failovers.');
const isKnown = (name: string): boolean => (failovers === undefined ? isKind(name) : coursesOf(isAsynchronous).includes(name));
const only = values.only
  ?.split(',')
  .map((name) => (isKnown(name) ? name : fail(`There is no ${failovers === undefined ? 'kind' : 'course'} ${name}.`)));
const queue = oneOf('queue', ['postgres', 'redis'], values.queue);
const plant = oneOf('bug', BUGS, values.plant);

const options = {
  seed: positive('--seed', values.seed),
  ...(only && { only }),
  ...(queue && { queues: [queue] }),
  ...(plant && { plant }),
  onRound: (round: Round, rounds: number) => void process.stdout.write(`${roundText(round, rounds)}\n`),
};
const result =
  failovers === undefined
    ? await runCampaign({ ...options, short, isCitus, minutes: short ? 0.1 : positive('--minutes', values.minutes) })
    : await runFailovers({ ...options, isAsynchronous, failovers: positive('--failovers', failovers) });
const command = commandOf('faults');
const [section, report] =
  failovers === undefined
    ? [isCitus ? 'faults on Citus' : 'faults', reportOf(result, command)]
    : [isAsynchronous ? 'asynchronous failovers' : 'failovers', failoverReportOf(result, isAsynchronous, command)];
const isWhole = !short && !only && !queue && !plant;
const path = values.report ?? (isWhole ? RELIABILITY : null);
if (path !== null) await keepSection(path, section, report);
process.stdout.write(`\n${report}\n`);
const broken = violationsOf(result).length > 0;
if (broken) process.stdout.write(`What the processes logged is in ${result.logs}.\n`);
process.exit(broken ? 1 : 0);
