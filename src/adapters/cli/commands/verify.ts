import type { Verification } from '../../http/schemas/answers.ts';
import { adminCommand } from '../command.ts';
import type { Session } from '../command.ts';
import { CommandFailure } from '../failure.ts';

type Invariant = Verification['invariants'][number];

const resultOf = ({ isComplete, violated }: Invariant): string => {
  if (!isComplete) return 'not finished';
  return violated === 0 ? 'ok' : `${String(violated)} violated`;
};

export const verify = adminCommand({
  docs: {
    brief: 'Check the invariants of the database of a running server',
    about:
      'Checks what is always true of events, deliveries and idempotency keys, on at most 10,000 rows each. ' +
      'Exits 1 when one is violated, or when a check did not finish.',
    examples: ['tenon verify'],
  },
  run: async ({ api, print }: Session) => {
    const found = await api.get<Verification>('/verify');
    print.list(found.invariants, [
      { name: 'invariant', of: ({ name }) => name },
      { name: 'result', of: resultOf },
      { name: 'rows', of: ({ counted }) => counted, align: 'right' },
      { name: 'statement', of: ({ statement }) => statement },
    ]);
    if (found.ok) return;
    const examples = found.invariants.flatMap(({ name, examples: ids }) => ids.map((id) => `\n  ${name}: ${id}`)).join('');
    throw new CommandFailure(`Not all invariants hold.${examples}`);
  },
});
