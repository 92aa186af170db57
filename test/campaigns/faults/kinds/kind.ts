import type { World } from '../world.ts';

/** A way to break things. */
export interface Kind {
  /** How often it is in a sequence, relative to the others. */
  readonly weight: number;
  /** Part of the environment that not every round has. */
  readonly needs?: 'redis' | 'network' | 'failovers' | 'citus';
  /**
   * Breaks it and waits until all is there again. The names of what landed, one for each: none when
   * the moment never came. `where` is a point, for those that strike at one.
   */
  readonly inject: (world: World, where?: string) => Promise<readonly string[]>;
}
