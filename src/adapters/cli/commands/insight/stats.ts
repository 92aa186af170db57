import type { Stats } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STEP_FLAGS, STORE_FLAG, WIDE_FLAG } from '../../flags.ts';

type Step = Stats['steps'][number];

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
const attemptsOf = ({ attempts }: Step): number => sum(Object.values(attempts));
const refusedOf = ({ refusals }: Step): number => sum(refusals.map(({ count }) => count));

/** `87.5 %` of the attempts; null without one. Never rounded up to all of them. */
const answeredOf = (step: Step): string | null => {
  const attempts = attemptsOf(step);
  return attempts === 0 ? null : `${(Math.floor((step.attempts['2xx'] / attempts) * 1_000) / 10).toFixed(1)} %`;
};

export const showStats = adminCommand({
  docs: {
    brief: 'Show deliveries and refused requests over time',
    about:
      'One line for each minute, hour or day (UTC) with activity, oldest first. Without --since, it shows the last 60 of them. ' +
      '2XX is the share of attempts that were answered with 2xx.',
    examples: ['tenon stats', 'tenon stats --step minute --since 30m'],
  },
  flags: {
    store: STORE_FLAG,
    ...STEP_FLAGS,
    ...WIDE_FLAG,
  },
  run: async ({ api, print }, { store, step, since: from, until: to }) => {
    const { id } = await findStore(api, store);
    const { steps } = await api.get<Stats>(`/stores/${id}/stats`, { step, from, to });
    print.list(steps, [
      { name: 'at', of: ({ at }) => at, kind: 'step' },
      { name: 'attempts', of: attemptsOf, align: 'right' },
      { name: '2xx', of: answeredOf, align: 'right' },
      { name: 'delivered', of: ({ deliveries }) => deliveries.delivered, align: 'right' },
      { name: 'failed', of: ({ deliveries }) => deliveries.failed, align: 'right' },
      { name: 'dropped', of: ({ deliveries }) => deliveries.dropped, align: 'right', drop: 1 },
      { name: 'refused', of: refusedOf, align: 'right', drop: 2 },
    ]);
  },
});
