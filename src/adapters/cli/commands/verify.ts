import type { Verification } from '../../http/schemas/answers.ts';
import { adminCommand } from '../command.ts';
import { CommandFailure } from '../failure.ts';

type Invariant = Verification['invariants'][number];

const resultOf = ({ isComplete, violated }: Invariant): string => {
  if (!isComplete) return 'not finished';
  return violated === 0 ? 'ok' : `${String(violated)} violated`;
};

export const verify = adminCommand({
  docs: {
    brief: 'Check the database of a running server for violated invariants',
    about:
      'Checks the invariants of events, deliveries and idempotency keys, on at most 10,000 rows each. ' +
      'Exits 1 if one is violated or a check does not finish.',
    examples: ['tenon verify'],
  },
  run: async ({ api, print }) => {
    const found = await api.get<Verification>('/verify');
    print.list(found.invariants, [
      { name: 'invariant', of: ({ name }) => name },
      { name: 'result', of: resultOf },
      { name: 'rows', of: ({ counted }) => counted, align: 'right' },
      { name: 'statement', of: ({ statement }) => statement },
    ]);
    if (found.ok) return;
    const examples = found.invariants.flatMap(({ name, examples: ids }) => ids.map((id) => `\n  ${name}: ${id}`)).join('');
    throw new CommandFailure(`Some invariants are violated or were not checked.${examples}`);
  },
});
