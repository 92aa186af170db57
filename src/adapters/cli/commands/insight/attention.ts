import { whyRefused } from '../../../../domain/insight/refusals/why-refused.ts';
import type { Attention } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { WHY_WAITING } from '../../../../domain/webhooks/why-waiting.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, WIDE_FLAG } from '../../flags.ts';

interface Problem {
  readonly problem: string;
  readonly count: number;
  /** False where there are more than were counted. */
  readonly isComplete: boolean;
  readonly since: string | null;
  readonly what: string;
}

/** Usually a delivery is sent within a second. */
const LATE_SECONDS = 5;

const problemsOf = (found: Attention): readonly Problem[] => {
  const { failingSubscriptions, deactivatedSubscriptions, due, held, mediaImports, refusals, failedDeliveries } = found;
  const one = { count: 1, isComplete: true, since: null };
  return [
    ...failingSubscriptions.items.map(({ url, health }) => {
      return { ...one, problem: 'Subscription fails', since: health.failingSince, what: url };
    }),
    ...deactivatedSubscriptions.items.map(({ url, health }) => {
      return { ...one, problem: 'Subscription deactivated', since: health.deactivatedAt, what: url };
    }),
    ...(due.oldest !== null && due.oldest.secondsLate >= LATE_SECONDS
      ? [{ ...due, problem: 'Deliveries late', since: due.oldest.dueAt, what: 'due and not sent' }]
      : []),
    ...held.map(({ reason, ...counted }) => ({
      ...one,
      ...counted,
      problem: 'Deliveries waiting',
      what: WHY_WAITING[reason].name,
    })),
    ...(failedDeliveries.count > 0
      ? [{ ...one, ...failedDeliveries, since: null, problem: 'Deliveries failed', what: 'in the last 24 hours' }]
      : []),
    ...mediaImports.items.map(({ id, createdAt, items, firstError }) => {
      const what = [`media import ${id}`, firstError?.message ?? []].flat().join(': ');
      return { ...one, problem: 'Images not imported', count: items.failed, since: createdAt, what };
    }),
    ...refusals.map(({ check, reason, count }) => {
      return { ...one, problem: 'Requests refused', count, what: whyRefused({ check, reason, code: null }).name };
    }),
  ];
};

export const showAttention = adminCommand({
  docs: {
    brief: 'Show what is wrong in a store now',
    about:
      'Lists failing and deactivated subscriptions, deliveries that are late, wait or failed in the last 24 hours, media imports of the last 7 days with failed items, ' +
      'and the requests refused in the last hour by reason. A count that ends in + is a minimum.',
    examples: ['tenon attention', 'tenon attention --store sunrise.localhost --json'],
  },
  flags: { store: STORE_FLAG, ...WIDE_FLAG },
  run: async ({ api, print }, { store }) => {
    const { id, domain } = await findStore(api, store);
    const problems = problemsOf(await api.get<Attention>(`/stores/${id}/attention`));
    if (problems.length === 0) {
      print.say(`Nothing needs attention in ${domain}.`);
      return;
    }
    print.list(problems, [
      { name: 'problem', of: ({ problem }) => problem },
      { name: 'count', of: ({ count, isComplete }) => `${String(count)}${isComplete ? '' : '+'}`, align: 'right' },
      { name: 'since', of: ({ since }) => since, kind: 'time', drop: 1 },
      { name: 'what', of: ({ what }) => what },
    ]);
  },
});
