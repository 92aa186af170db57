import type { ReceiverFigures } from '../../api/types.ts';
import { STEP_SECONDS } from '../overview/ranges.ts';

type Step = ReceiverFigures['steps'][number];

const NOTHING: Omit<Step, 'at'> = {
  deliveries: { delivered: 0, failed: 0, dropped: 0 },
  attempts: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 },
  p50: null,
  p95: null,
};

export const attemptsOf = ({ attempts }: Pick<Step, 'attempts'>): number =>
  Object.values(attempts).reduce((sum, count) => sum + count, 0);

/** Every step of the range, with its beginning in seconds since the epoch. The API leaves out those without activity. */
export const everyReceiverStep = ({ from, to, step, steps }: ReceiverFigures) => {
  const known = new Map(steps.map((one) => [Date.parse(one.at) / 1000, one]));
  const length = STEP_SECONDS[step];
  const first = Date.parse(from) / 1000;
  return Array.from({ length: Math.round((Date.parse(to) / 1000 - first) / length) }, (_, index) => {
    const second = first + index * length;
    return { ...NOTHING, ...known.get(second), second };
  });
};
