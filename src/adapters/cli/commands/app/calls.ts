import type { CallFigures } from '../../../http/answers.ts';
import { findApp } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { APP_ARGUMENT, STEP_FLAGS, STORE_FLAG, WIDE_FLAG } from '../../flags.ts';

type Step = CallFigures['steps'][number];

const callsOf = ({ answers }: Step): number => Object.values(answers).reduce((sum, count) => sum + count, 0);

/** Milliseconds; a short time has one digit. */
const timeOf = (time: Step['p50']): string | null => {
  if (time === null) return null;
  const text = time.ms < 10 ? time.ms.toFixed(1) : Math.round(time.ms).toLocaleString('en');
  return time.isOver ? `over ${text}` : text;
};

export const showCalls = adminCommand({
  docs: {
    brief: 'Show the calls of an app over time',
    about:
      'One line for each minute, hour or day (UTC) with calls, oldest first. Without --since, it shows the last 24 hours. ' +
      'P50 and P95 are milliseconds: half of the calls, and 95 % of them, took no longer. ' +
      'A wait for the feed, an import and an export are counted without their time.',
    examples: ['tenon app calls "Demo app"', 'tenon app calls "Demo app" --step minute --since 30m'],
  },
  flags: {
    store: STORE_FLAG,
    ...STEP_FLAGS,
    ...WIDE_FLAG,
  },
  positional: { kind: 'tuple', parameters: [APP_ARGUMENT] },
  run: async ({ api, print }, { store, step, since, until }, named) => {
    const { id } = await findApp(api, named, store);
    const { steps } = await api.get<CallFigures>(`/apps/${id}/calls`, { step, since, until });
    print.list(steps, [
      { name: 'at', of: ({ at }) => at, kind: 'step' },
      { name: 'calls', of: callsOf, align: 'right' },
      { name: '2xx', of: ({ answers }) => answers['2xx'], align: 'right' },
      { name: '3xx', of: ({ answers }) => answers['3xx'], align: 'right', drop: 2 },
      { name: '4xx', of: ({ answers }) => answers['4xx'], align: 'right' },
      { name: '5xx', of: ({ answers }) => answers['5xx'], align: 'right' },
      { name: 'left', of: ({ answers }) => answers.none, align: 'right', drop: 1 },
      { name: 'p50', of: ({ p50 }) => timeOf(p50), align: 'right' },
      { name: 'p95', of: ({ p95 }) => timeOf(p95), align: 'right' },
    ]);
  },
});
