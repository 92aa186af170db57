import type { CaseOptions, Figure } from './report.ts';
import type { LoadRound, Plan } from './load.ts';
import { keepPlan, lengthOf, sendPlan, type Stage } from './stage.ts';
import { spreadOf } from './statistics.ts';

export interface Sent {
  readonly name: string;
  readonly url: string;
  readonly plan: Plan;
}

export interface Beside {
  readonly name: string;
  /** The goal of the ratio. */
  readonly least?: number;
  readonly connections: number;
}

/** Rounds of the one and of the other in turn. Each does its own work. The ratio of their rates, and each one's figures. */
export const beside = async (
  load: Stage['load'],
  [own, other]: readonly [Sent, Sent],
  { name, least, connections }: Beside,
  { short, pairs }: Pick<CaseOptions, 'short' | 'pairs'>,
): Promise<Figure[]> => {
  const round = async ({ name: plan, url }: Sent): Promise<LoadRound> => {
    const found = await sendPlan(load, { plan, urls: [url], connections, ...lengthOf(short, connections) });
    if (found.errors > 0) throw new Error(`${plan}: ${found.errors} errors`);
    process.stderr.write(`${plan}: ${found.rate.toFixed(1)}/s, p50 ${found.p50.toFixed(1)} ms\n`);
    return found;
  };
  for (const sent of [own, other]) {
    await keepPlan(load, sent.name, sent.plan);
    await round(sent);
  }
  const rounds: (readonly [LoadRound, LoadRound])[] = [];
  for (let pair = 0; pair < pairs; pair += 1) rounds.push([await round(own), await round(other)]);
  const figuresOf = ({ name: of }: Sent, at: 0 | 1): Figure[] => [
    { name: of, unit: 'requests/s', ...spreadOf(rounds.map((both) => both[at].rate)) },
    { name: `${of}: p50`, unit: 'ms', ...spreadOf(rounds.map((both) => both[at].p50)) },
  ];
  return [
    { name, unit: 'ratio', ...(least !== undefined && { least }), ...spreadOf(rounds.map(([a, b]) => a.rate / b.rate)) },
    ...figuresOf(own, 0),
    ...figuresOf(other, 1),
  ];
};
