import { countKeyUses } from '../../../application/insight/count-key-uses.ts';
import { countCalls } from '../../../application/insight/count-calls.ts';
import { locateRequests } from '../../../application/identity/sealed-install-request.ts';
import { gatherAuditRefusals, type AuditRefused } from '../../../application/insight/gather-audit-refusals.ts';
import { gatherRefusals } from '../../../application/insight/gather-refusals.ts';
import type { HttpAppOptions } from '../../http/serving/app.ts';
import { repeat } from '../../node/background.ts';
import type { Config } from '../settings/config.ts';
import { TOKENS } from '../ports/tokens.ts';
import type { Container } from '../ports/container.ts';
import { publishRefusal } from '../ports/live-sources.ts';

/** A node gathers facts about requests, and writes them now and then. */
export interface LogGathering {
  readonly observers: Pick<HttpAppOptions, 'onCall' | 'onRefused' | 'onKeyUse'>;
  /** Refused changes and sign-ins, for the audit log. */
  readonly onAuditRefused: (refused: AuditRefused) => void;
  /** Writes the rest. Call it when no request is under way any more. */
  stop(): Promise<void>;
}

const FLUSH_SECONDS = 1;
/** Each called store gets one statement. */
const CALLS_FLUSH_SECONDS = 10;

/** A process that is killed loses what has gathered since the last flush. */
export const startGathering = (container: Container, config: Config): LogGathering => {
  const log = container.resolve(TOKENS.log);
  const metrics = container.resolve(TOKENS.metrics);
  const live = container.resolve(TOKENS.live);
  const ports = container.resolve(TOKENS.ports);
  const refusals = gatherRefusals(ports, (count) => {
    metrics.lost('refusals', count);
  });
  const keyUses = countKeyUses(ports, (count) => {
    metrics.lost('keyUses', count);
  });
  const calls = countCalls(ports, (count) => {
    metrics.lost('calls', count);
  });
  const failed = (what: string) => (error: unknown) => {
    log.warn({ err: error }, `${what} could not be written.`);
  };
  const refusedFailed = failed('Refused changes and sign-ins');
  const auditRefusals = gatherAuditRefusals({ ...ports, locator: locateRequests(ports) }, refusedFailed);
  const flush = async (): Promise<void> => {
    await refusals.flush().catch(failed('The request log'));
    await auditRefusals.flush().catch(refusedFailed);
    await keyUses.flush().catch(failed('The uses of idempotency keys'));
  };
  const callsFailed = failed('The calls of apps');
  const stopFlush = repeat(FLUSH_SECONDS, flush, failed('What was gathered'));
  const stopCounting = repeat(CALLS_FLUSH_SECONDS, calls.flush, callsFailed);
  return {
    onAuditRefused: auditRefusals.add,
    observers: {
      onCall: calls.add,
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
      await Promise.all([stopFlush(), stopCounting()]);
      await flush();
      await calls.flush().catch(callsFailed);
    },
  };
};
