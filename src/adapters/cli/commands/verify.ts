import { REPAIRABLE, type InvariantName, type RepairableName } from '../../../domain/insight/invariants.ts';
import type { RepairedPage, Verification } from '../../http/schemas/answers.ts';
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

export const verify = adminCommand({
  docs: {
    brief: 'Check the database of a running server for violated invariants',
    about:
      'Checks the invariants of events, deliveries and idempotency keys, on at most 10,000 rows each. ' +
      'Exits 1 if one is violated or a check does not finish.\n\n' +
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
    const found = await api.get<Verification>('/verify');
    const invariants = found.invariants.map((one) => ({
      ...one,
      ...(repair === true && { repaired: repaired.get(one.name) ?? 0 }),
    }));
    print.list(invariants, [
      { name: 'invariant', of: ({ name }) => name },
      { name: 'result', of: resultOf },
      { name: 'rows', of: ({ counted }) => counted, align: 'right' },
      { name: 'statement', of: ({ statement }) => statement, drop: 1 },
    ]);
    if (found.ok) return;
    const examples = found.invariants.flatMap(({ name, examples: ids }) => ids.map((id) => `\n  ${name}: ${id}`)).join('');
    throw new CommandFailure(`Some invariants are violated or were not checked.${examples}`);
  },
});
