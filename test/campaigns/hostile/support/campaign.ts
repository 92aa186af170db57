import type { Environment as BenchEnvironment } from '../../../../bench/support/environment.ts';
import type { Attacker } from './attacker.ts';
import type { Site } from './site.ts';

/** A PostgreSQL that may be given, too. */
export type Environment = Pick<BenchEnvironment, 'databaseUrl' | 'pool' | 'close'>;

export interface Run {
  readonly environment: Environment;
  readonly attacker: Attacker;
  /**
   * The server that cases share which need no settings of their own; each has its own stores in it.
   */
  readonly site: () => Promise<Site>;
  readonly seed: number;
  /** Property-based requests at least. */
  readonly requests: number;
  /** Proves that the case runs: fewer of everything, and no figure worth reading. */
  readonly short: boolean;
  /**
   * Loaded by the server of the case `guard` before its own code: plants a fault, to see the case
   * notice it.
   */
  readonly preload?: string | undefined;
  /** A pattern for the operations' `METHOD /path`; all by default. Of the case `guard`. */
  readonly only?: string | undefined;
}

/** Figures by what they tell. */
export type Figures = Readonly<Record<string, number | string>>;

export interface Case {
  /** Description in a sentence. */
  readonly about: string;
  run(run: Run): Promise<Figures>;
}
