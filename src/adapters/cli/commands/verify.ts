import { REPAIRABLE, type InvariantName, type RepairableName } from '../../../domain/insight/invariants.ts';
import type { RepairedPage, Verification } from '../../http/answers.ts';
import type { AdminApi } from '../admin/admin-api.ts';
import { adminCommand } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import { switchFlag, WIDE_FLAG } from '../flags.ts';
import { plural } from '../../../domain/values/plural.ts';

type Invariant = Verification['invariants'][number];

const resultOf = ({ isComplete, violated }: Invariant): string => {
  if (!isComplete) return 'not finished';
  return violated === 0 ? 'ok' : `${String(violated)} violated`;
};

/** All pages. Interrupted, it begins again with the oldest row, and what is repaired stays so. */
const repairAll = async (api: AdminApi, invariant: RepairableName): Promise<Pick<RepairedPage, 'counted' | 'repaired'>> => {
  let [counted, repaired] = [0, 0];
  let after: string | null = null;
  do {
    const page: RepairedPage = await api.post<RepairedPage>('/verify/repairs', { invariant, after });
    counted += page.counted;
    repaired += page.repaired;
    after = page.next;
  } while (after !== null);
  return { counted, repaired };
};

/** Checks that did not end in the time of a quick look are asked for again, each alone and with more time. */
const verifyAll = async (api: AdminApi, say: (text: string) => void): Promise<readonly Invariant[]> => {
  const checked: Invariant[] = [];
  for (const one of (await api.get<Verification>('/verify')).invariants) {
    if (!one.isComplete) say(`${one.name}: not finished in time. Checking it again, with more time.`);
    checked.push(...(one.isComplete ? [one] : (await api.get<Verification>('/verify', { invariant: one.name })).invariants));
  }
  return checked;
};

/** Empty where every check ended and found nothing. */
const faultsOf = (invariants: readonly Invariant[]): readonly string[] => {
  const violated = invariants.filter(({ violated: count }) => count !== null && count > 0);
  const examples = violated.flatMap(({ name, examples: ids }) => ids.map((id) => `\n  ${name}: ${id}`)).join('');
  const unfinished = invariants.flatMap(({ name, isComplete }) => (isComplete ? [] : [`\n  ${name}`])).join('');
  return [
    ...(violated.length === 0 ? [] : [`Some invariants are violated.${examples}`]),
    ...(unfinished === '' ? [] : [`Some checks are not finished: run it again.${unfinished}`]),
  ];
};

export const verify = adminCommand({
  docs: {
    brief: 'Check the database of a running server for violated invariants',
    about:
      'Checks the invariants of events, deliveries and idempotency keys, on at most 10,000 rows each. A check that does not finish in its time is repeated with more time. ' +
      'Exits 1 if an invariant is violated or a check does not finish.\n\n' +
      'With --repair, it first reads all events and deliveries and repairs two invariants: each event without a place in the feed gets one, after the events that are there, ' +
      'and each pending delivery that is not queued is queued. Run it while the server runs. If it is interrupted, run it again.',
    examples: ['tenon verify', 'tenon verify --repair'],
  },
  flags: { repair: switchFlag('Repair events without a place and pending deliveries that are not queued'), ...WIDE_FLAG },
  run: async ({ api, print }, { repair }) => {
    const repaired = new Map<InvariantName, number>();
    for (const name of repair === true ? REPAIRABLE : []) {
      const done = await repairAll(api, name);
      repaired.set(name, done.repaired);
      print.say(`${name}: looked at ${plural(done.counted, 'row')} and repaired ${String(done.repaired)}.`);
    }
    const found = await verifyAll(api, (text) => print.say(text));
    const invariants = found.map((one) => ({
      ...one,
      ...(repair === true && { repaired: repaired.get(one.name) ?? 0 }),
    }));
    print.list(invariants, [
      { name: 'invariant', of: ({ name }) => name },
      { name: 'result', of: resultOf },
      { name: 'rows', of: ({ counted }) => counted, align: 'right' },
      { name: 'statement', of: ({ statement }) => statement, drop: 1 },
    ]);
    const faults = faultsOf(found);
    if (faults.length > 0) throw new CommandFailure(faults.join('\n'));
  },
});
