import { countKeyUses } from '../../../application/idempotency/count-key-uses.ts';
import { gatherRefusals } from '../../../application/insight/gather-refusals.ts';
import type { HttpAppOptions } from '../../http/serving/app.ts';
import { repeat } from '../../node/background.ts';
import type { Config } from '../settings/config.ts';
import { TOKENS } from '../ports/tokens.ts';
import type { Container } from '../ports/container.ts';
import { publishRefusal } from '../ports/live-sources.ts';

/** What a node gathers about the requests of apps and writes once a second. */
export interface Gathering {
  readonly observers: Pick<HttpAppOptions, 'onRefused' | 'onKeyUse'>;
  /** Writes the rest. Call it when no request is under way any more. */
  stop(): Promise<void>;
}

const FLUSH_SECONDS = 1;

/** A process that is killed loses what has gathered since the last flush. */
export const startGathering = (container: Container, config: Config): Gathering => {
  const log = container.resolve(TOKENS.log);
  const metrics = container.resolve(TOKENS.metrics);
  const live = container.resolve(TOKENS.live);
  const ports = container.resolve(TOKENS.ports);
  const refusals = gatherRefusals(ports, (count) => {
    metrics.refusalsLost(count);
  });
  const keyUses = countKeyUses(ports, (count) => {
    metrics.keyUsesLost(count);
  });
  const failed = (what: string) => (error: unknown) => {
    log.warn({ err: error }, `${what} could not be written.`);
  };
  const flush = async (): Promise<void> => {
    await refusals.flush().catch(failed('The request log'));
    await keyUses.flush().catch(failed('The uses of idempotency keys'));
  };
  const stopFlush = repeat(FLUSH_SECONDS, flush, failed('What was gathered'));
  return {
    observers: {
      onRefused: (refusal) => {
        metrics.refusal(refusal.check);
        publishRefusal({ live }, refusal);
        if (config.REQUEST_LOG_DAYS > 0) refusals.add(refusal);
      },
      onKeyUse: (scope, use) => {
        metrics.keyUse(use);
        keyUses.add(scope, use);
      },
    },
    stop: async () => {
      await stopFlush();
      await flush();
    },
  };
};
