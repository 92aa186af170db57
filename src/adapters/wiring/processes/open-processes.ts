import { forkOf } from './fork.ts';
import { AggregateMetrics } from '../../prometheus/aggregate-metrics.ts';
import { TOKENS } from '../ports/tokens.ts';
import type { Container } from '../ports/container.ts';
import type { PublicSide } from '../serve/server.ts';
import { Supervisor } from './supervisor.ts';

export const openProcesses =
  (count: number, databaseUrl: string) =>
  async (container: Container): Promise<PublicSide> => {
    const own = container.resolve(TOKENS.metrics);
    const whole = new AggregateMetrics();
    const supervisor = new Supervisor({
      count,
      fork: forkOf({ DATABASE_URL: databaseUrl, WORKERS: String(count) }),
      log: container.resolve(TOKENS.log),
      limiter: container.resolve(TOKENS.limiter),
      onEnd: (process) => whole.end(process),
    });
    try {
      const url = await supervisor.open();
      return {
        url,
        drain: () => supervisor.drain(),
        close: (graceMs) => supervisor.close(graceMs),
        others: {
          checks: { processes: () => supervisor.isReady() },
          metrics: {
            contentType: own.contentType,
            text: async () => whole.text(await own.snapshot({ hasShared: true }), await supervisor.metrics()),
          },
        },
      };
    } catch (error) {
      await supervisor.close(0);
      throw error;
    }
  };
