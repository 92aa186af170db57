import type { Attempt, Moment } from './history.ts';

/** The requests that are sent to every node while something does not answer, by name. */
export const PROBES = ['list of products', 'write', 'token', 'admin list', 'feed', 'readyz'] as const;
export type ProbeName = (typeof PROBES)[number];

/** A request whose client waits longer than any answer may take. */
export interface Probe extends Attempt {
  readonly name: ProbeName;
  /** Milliseconds that it asks the node to wait for something new. */
  readonly waitMs: number;
}

/** A time in which a server that the nodes need is there and does not answer. */
export interface Outage {
  readonly kind: string;
  readonly of: 'PostgreSQL' | 'Redis';
  from: Moment;
  /** From when on new connections reach a server that works. */
  returnedAt: Moment;
  /**
   * Only what a node waits for shows that anything is wrong: no connection ended, and a new one
   * works all the time.
   */
  isHidden: boolean;
  until: Moment;
  /** To each node, from some time before; the last of them may end after it. */
  readonly probes: readonly Probe[];
}

export const isSuccess = ({ answer }: Probe): boolean => answer !== null && answer.status >= 200 && answer.status < 300;
