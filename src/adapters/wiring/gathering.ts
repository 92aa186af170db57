import { gatherRefusals } from '../../application/insight/gather-refusals.ts';
import type { Observers } from '../http/serving/observe.ts';
import { repeat } from '../node/background.ts';
import type { Config } from './config.ts';
import { TOKENS } from './container.ts';
import type { Container } from './container.ts';
import { publishRefusal } from './live-sources.ts';

/** What a node gathers about the requests of apps and writes once a second. */
export interface Gathering {
  readonly observers: Pick<Observers, 'onRefused'>;
  /** Writes the rest. Call it when no request is under way any more. */
  stop(): Promise<void>;
}

const FLUSH_SECONDS = 1;

/** A process that is killed loses what has gathered since the last flush. */
export const startGathering = (container: Container, config: Config): Gathering => {
  const log = container.resolve(TOKENS.log);
  const metrics = container.resolve(TOKENS.metrics);
  const live = container.resolve(TOKENS.live);
  const refusals = gatherRefusals(container.resolve(TOKENS.ports), (count) => {
    metrics.refusalsLost(count);
  });
  const failed = (error: unknown): void => {
    log.warn({ err: error }, 'The request log could not be written.');
  };
  const stopFlush = repeat(FLUSH_SECONDS, () => refusals.flush(), failed);
  return {
    observers: {
      onRefused: (refusal) => {
        publishRefusal({ live }, refusal);
        if (config.REQUEST_LOG_DAYS > 0) refusals.add(refusal);
      },
    },
    stop: async () => {
      await stopFlush();
      await refusals.flush().catch(failed);
    },
  };
};
