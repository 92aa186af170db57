import type { Answer, Attempt, Disturbance, History, Keyed, KeyHistory, Moment, Termination } from '../history.ts';
import type { Execution } from './events.ts';
import { judgeWithLosses, lossesOf } from './losses.ts';
import { violation, type Violation } from './violation.ts';

/**
 * A key's end: an answer that every retry gets again. 401: its app is gone, and its keys with it.
 */
const isFinal = ({ status, body }: Answer): boolean =>
  status < 500 && status !== 429 && status !== 401 && !(status === 409 && body.includes('idempotency_in_progress'));

export const finalAnswers = ({ attempts }: Pick<Keyed, 'attempts'>): Answer[] =>
  attempts.flatMap(({ answer }) => (answer && isFinal(answer) ? [answer] : []));

const overlaps = (from: Moment, until: Moment, other: { readonly from: Moment; readonly until: Moment }): boolean =>
  other.from <= until && other.until >= from;

/** All that a request may have waited for. */
export const disturbancesOf = ({ disturbances, pauses }: History): readonly Disturbance[] => [...disturbances, ...pauses];

const JUST_BEFORE = 5_000;

/**
 * Milliseconds from the last recovery before its answer, or from its first request, to its answer;
 * null without an answer.
 */
export const recoveryOf = ({ attempts }: Keyed, disturbances: readonly Disturbance[]): number | null => {
  const begun = Math.min(...attempts.map(({ sentAt }) => sentAt));
  const answers = attempts.filter(({ answer }) => answer !== null && (isFinal(answer) || answer.status === 401));
  const first = Math.min(...answers.map(({ endedAt }) => endedAt));
  if (!Number.isFinite(first)) return null;
  const recovered = disturbances.filter((one) => overlaps(begun, first, one)).map(({ until }) => Math.min(until, first));
  return first - Math.max(begun, ...recovered);
};

/**
 * Lists the requests, and the disturbances from a little before, in milliseconds from the first:
 * one needs both to look for the cause.
 */
const courseOf = ({ attempts }: Keyed, disturbances: readonly Disturbance[]): string => {
  const begun = Math.min(...attempts.map(({ sentAt }) => sentAt));
  const ended = Math.max(...attempts.map(({ endedAt }) => endedAt));
  const span = (from: Moment, until: Moment): string => `${(from - begun).toFixed(0)} to ${(until - begun).toFixed(0)}`;
  const requests = attempts.map(({ node, sentAt, endedAt, answer, left }) => {
    const end = left ? 'left' : String(answer?.status ?? 'cut');
    return `${span(sentAt, endedAt)} node ${node} ${end}`;
  });
  const broken = disturbances.filter((one) => overlaps(begun - JUST_BEFORE, ended, one));
  return [...requests, ...broken.map(({ kind, from, until }) => `${span(from, until)} ${kind}`)].join(', ');
};

const isGone = ({ attempts }: Keyed): boolean => attempts.some(({ answer }) => answer?.status === 401);

interface BulkBody {
  readonly results?: readonly {
    readonly id: string;
    readonly status: string;
    readonly slug: string | null;
    readonly errorCode: string | null;
  }[];
}

type Item = NonNullable<BulkBody['results']>[number];

/** The violations of one item's answer, compared with the events of its executions. */
const judgeItem = (key: string, mark: string, item: Item | undefined, executions: readonly Execution[]): Violation[] => {
  switch (item?.status) {
    case 'Updated': {
      const [only] = executions;
      if (!only) return [violation('not executed', key, `answered Updated, and no event sets ${mark}`)];
      const differs = only.slug !== undefined && only.slug !== item.slug;
      return differs
        ? [violation('not executed', key, `answered slug ${String(item.slug)}, the event says ${String(only.slug)}`)]
        : [];
    }
    case 'Unchanged':
      return [violation('executed twice', key, `${mark} was set before the answer's execution set it`)];
    case 'Failed':
      if (executions.length > 0) return [violation('not executed', key, `answered Failed, and an event sets ${mark}`)];
      return item.errorCode === 'slug_taken' ? [] : [violation('not expected', key, `failed with ${String(item.errorCode)}`)];
    default:
      return [violation('not executed', key, `the answer says nothing of ${mark}`)];
  }
};

const judgeAnswer = (history: KeyHistory, answer: Answer, byMark: ReadonlyMap<string, readonly Execution[]>): Violation[] => {
  if (answer.status !== 200) return [violation('not expected', history.key, `${String(answer.status)} ${answer.body}`)];
  const { results = [] } = JSON.parse(answer.body) as BulkBody;
  return history.marks.flatMap(({ productId, value }) =>
    judgeItem(
      history.key,
      value,
      results.find(({ id }) => id === productId),
      byMark.get(value) ?? [],
    ),
  );
};

const judgeBytes = ({ key }: Keyed, answers: readonly Answer[]): Violation[] => {
  const [first] = answers;
  const others = answers.filter(
    ({ status, contentType, body }) => status !== first?.status || contentType !== first.contentType || body !== first.body,
  );
  const fresh = answers.filter(({ replay }) => !replay).length;
  return [
    ...others
      .slice(0, 1)
      .map(({ status, body }) => violation('not the same bytes', key, `${String(status)} ${body} after ${String(first?.body)}`)),
    ...(fresh > 1 ? [violation('executed twice', key, `${String(fresh)} answers are not replays`)] : []),
  ];
};

/** The first answer was lost, and only requests to processes under SIGTERM got none. */
const judgeTerminations = (
  history: Keyed,
  answers: readonly Answer[],
  terminations: readonly Termination[],
  disturbances: readonly Disturbance[],
): Violation[] => {
  if (answers.length === 0 || answers.some(({ replay }) => !replay)) return [];
  const unanswered = history.attempts.filter(({ answer, left }) => left || answer === null || answer.status >= 500);
  const isTheirs = ({ node, sentAt, endedAt, left }: Attempt): boolean =>
    !left &&
    terminations.some((one) => one.node === node && overlaps(sentAt, endedAt, one)) &&
    !disturbances.some((one) => overlaps(sentAt, endedAt, one));
  return unanswered.length > 0 && unanswered.every(isTheirs)
    ? [
        violation(
          'answer lost by SIGTERM',
          history.key,
          `executed, and ended without answering: ${courseOf(history, disturbances)}`,
        ),
      ]
    : [];
};

const judgeIntruder = ({ key, intruder }: KeyHistory, byMark: ReadonlyMap<string, readonly Execution[]>): Violation[] => {
  if (!intruder) return [];
  const set = byMark.has(intruder.mark.value)
    ? [violation('executed twice', key, 'other bytes under the same key were executed')]
    : [];
  const wrong = intruder.attempts.flatMap(({ answer }) =>
    answer && ![422, 409, 401].includes(answer.status) && answer.status < 500
      ? [violation('not expected', key, `other bytes under the same key got ${String(answer.status)}`)]
      : [],
  );
  return [...set, ...wrong];
};

/** A round that breaks nothing, as one that only moves shards. */
const judgeRefusals = ({ key, attempts }: Keyed, { disturbances, terminations }: History): Violation[] =>
  disturbances.length > 0 || terminations.length > 0
    ? []
    : attempts.flatMap(({ answer }) =>
        answer && answer.status >= 500
          ? [violation('not expected', key, `${String(answer.status)} while nothing was broken: ${answer.body}`)]
          : [],
      );

const lateness = (recovery: number | null): string =>
  recovery === null ? 'it was never answered' : `answered ${recovery.toFixed(0)} ms after the last recovery`;

/**
 * The rules of every key: the same replays, an answer in time and in spite of SIGTERM, and no failure while nothing is broken.
 * `limit` in milliseconds.
 */
export const checkProtocol = (one: Keyed, history: History, limit: number): Violation[] => {
  const { disturbances, terminations } = history;
  const answers = finalAnswers(one);
  const all = disturbancesOf(history);
  const recovery = recoveryOf(one, all);
  const stuck = recovery === null || recovery > limit;
  return [
    ...judgeBytes(one, answers),
    ...judgeTerminations(one, answers, terminations, disturbances),
    ...judgeRefusals(one, history),
    ...(stuck && !isGone(one) ? [violation('key stuck', one.key, `${lateness(recovery)}: ${courseOf(one, all)}`)] : []),
  ];
};

/**
 * Each key of a bulk update executed at most once and, if acknowledged, exactly once; its replays;
 * its time. `limit` in milliseconds.
 */
export const checkKeys = (
  history: History,
  executions: ReadonlyMap<string, readonly Execution[]>,
  limit: number,
): Violation[] => {
  const losses = lossesOf(history);
  const judge = (one: KeyHistory): Violation[] => {
    const [first] = finalAnswers(one);
    const twice = one.marks
      .map(({ value }) => [value, executions.get(value)?.length ?? 0] as const)
      .filter(([, count]) => count > 1)
      .map(([value, count]) => violation('executed twice', one.key, `${String(count)} events set ${value}`));
    return [
      ...twice,
      ...(first ? judgeAnswer(one, first, executions) : []),
      ...judgeIntruder(one, executions),
      ...checkProtocol(one, history, limit),
    ];
  };
  return history.keys.flatMap((one) => judgeWithLosses(one, losses, judge));
};
