import type { Moment } from '../history.ts';
import { isSuccess, type Outage, type Probe } from '../outage.ts';
import { groupBy } from './events.ts';
import { ratesOf } from './rates.ts';
import { violation, type Violation } from './violation.ts';

export interface OutageLimits {
  /** Milliseconds within which a request is answered, beside those that it asks the node to wait. */
  readonly answer: number;
  /** Milliseconds within which a node notices that the database is gone, and that it is there again. */
  readonly notice: number;
  /** The part of their rate that writes keep while Redis hangs. */
  readonly rate: number;
}

const isReadyz = ({ name }: Probe): boolean => name === 'readyz';

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const courseOf = ({ name, sentAt, endedAt, answer, left }: Probe, { from }: Outage): string => {
  const end = answer ? `got ${String(answer.status)}` : left ? 'had no answer' : 'was cut';
  const when = `${seconds(Math.abs(sentAt - from))} ${sentAt < from ? 'before' : 'after'} the beginning`;
  return `${name}, sent ${when}: ${end} after ${seconds(endedAt - sentAt)}`;
};

const checkAnswers = (about: string, probes: readonly Probe[], outage: Outage, { answer: limit }: OutageLimits): Violation[] =>
  probes
    .filter(({ answer, sentAt, endedAt, waitMs }) => answer === null || endedAt - sentAt > limit + waitMs)
    .map((probe) => violation('no answer', about, courseOf(probe, outage)));

/**
 * The first success of what was sent since the beginning. While new connections don't work, what
 * ends well was under way before all was broken.
 */
const firstSuccess = (probes: readonly Probe[], { from, returnedAt }: Outage): Moment =>
  Math.min(
    ...probes
      .filter((probe) => !isReadyz(probe) && isSuccess(probe) && probe.sentAt >= from && probe.endedAt >= returnedAt)
      .map(({ endedAt }) => endedAt),
  );

/**
 * When a node has noticed that the database is back. Where nothing but the waiting shows that it was
 * away, it may wait for as long as an answer may take.
 */
const dueOf = ({ returnedAt, isHidden }: Outage, { answer, notice }: OutageLimits): Moment =>
  returnedAt + notice + (isHidden ? answer : 0);

const checkReturn = (about: string, success: Moment, outage: Outage, limits: OutageLimits): Violation[] => {
  if (success <= dueOf(outage, limits)) return [];
  const what = success === Infinity ? 'no success' : `first success ${seconds(success - outage.returnedAt)} after the return`;
  return [violation('return not noticed', about, what)];
};

/** 503 in time, unless requests succeed again by then; not 200 long before they do; 200 in the end. */
const checkReadiness = (
  about: string,
  probes: readonly Probe[],
  success: Moment,
  outage: Outage,
  limits: OutageLimits,
): Violation[] => {
  const { from, returnedAt } = outage;
  const { notice } = limits;
  const asked = probes.filter((probe) => isReadyz(probe) && probe.sentAt >= from);
  const due = from + notice;
  const said = asked.some((probe) => probe.answer?.status === 503 && probe.endedAt <= due);
  const wrong = asked.filter((probe) => isSuccess(probe) && probe.sentAt >= due && probe.endedAt + notice < success);
  const back = Math.min(...asked.filter((probe) => isSuccess(probe) && probe.sentAt >= returnedAt).map(({ endedAt }) => endedAt));
  return [
    ...(said || success <= due ? [] : [violation('readiness wrong', about, `not 503 within ${seconds(notice)}`)]),
    ...wrong.map((probe) => violation('readiness wrong', about, courseOf(probe, outage))),
    ...(back <= dueOf(outage, limits)
      ? []
      : [violation('readiness wrong', about, `first 200 ${seconds(back - returnedAt)} after the return`)]),
  ];
};

const checkWithoutRedis = (outage: Outage, { rate }: OutageLimits): Violation[] => {
  const { kind, probes, from, until } = outage;
  const { before, during } = ratesOf(outage);
  const unready = probes.filter(
    (probe) => isReadyz(probe) && !isSuccess(probe) && probe.endedAt >= from && probe.endedAt <= until,
  );
  return [
    ...(during >= rate * before
      ? []
      : [violation('slow without Redis', kind, `${during.toFixed(1)} writes a second, ${before.toFixed(1)} before`)]),
    ...unready.map((probe) => violation('readiness wrong', `${kind}, node ${probe.node}`, courseOf(probe, outage))),
  ];
};

/** Judges the answers of nodes while a server is silent, and once it is back. */
export const checkOutage = (outage: Outage, limits: OutageLimits): Violation[] => {
  const ofNodes = [...groupBy(outage.probes, ({ node }) => String(node))].flatMap(([node, probes]) => {
    const about = `${outage.kind}, node ${node}`;
    const answers = checkAnswers(about, probes, outage, limits);
    if (outage.of === 'Redis') return answers;
    const success = firstSuccess(probes, outage);
    return [
      ...answers,
      ...checkReturn(about, success, outage, limits),
      ...checkReadiness(about, probes, success, outage, limits),
    ];
  });
  return [...ofNodes, ...(outage.of === 'Redis' ? checkWithoutRedis(outage, limits) : [])];
};

export interface OutageFigures {
  readonly kind: string;
  /** Milliseconds to the latest answer, without those that its request asked the node to wait. */
  readonly slowestAnswer: number;
  /** The writes a second after the first second, as a part of those before. Null for PostgreSQL. */
  readonly rate: number | null;
}

export const figuresOf = (outage: Outage): OutageFigures => {
  const { before, during } = ratesOf(outage);
  return {
    kind: outage.kind,
    slowestAnswer: Math.max(...outage.probes.map(({ sentAt, endedAt, waitMs }) => endedAt - sentAt - waitMs)),
    rate: outage.of === 'Redis' ? during / before : null,
  };
};
