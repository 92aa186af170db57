import type { Caller } from '../../domain/identity/caller.ts';
import { recentRange, type FigureRange, type WantedRange } from '../../domain/insight/figures.ts';
import { percentilesOf, timesOfAll, type Times } from '../../domain/insight/percentile.ts';
import type { CallStep } from '../../domain/ports/insight/figures.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

export interface CallFigures extends FigureRange, Times {
  readonly steps: readonly (Pick<CallStep, 'at' | 'answers'> & Times)[];
}

/** Counts the answers to an app's calls over time. */
export const getOwnCallFigures =
  ({ clock, figures }: Pick<Ports, 'clock' | 'figures'>) =>
  async (
    installation: Pick<Caller, 'storeId' | 'installationId'>,
    wanted: WantedRange,
  ): Promise<Result<CallFigures, 'invalid'>> => {
    const range = recentRange(wanted, clock.now());
    if (!range.ok) return range;
    const steps = await figures.callsOf(installation, range.value);
    return ok({
      ...range.value,
      steps: steps.map(({ at, answers, latency }) => ({ at, answers, ...percentilesOf(latency) })),
      ...timesOfAll(steps),
    });
  };

/** Returns the figures for the merchant, who names the installation. */
export const getCallFigures = (ports: Pick<Ports, 'clock' | 'figures' | 'locator'>) => {
  const read = getOwnCallFigures(ports);
  return async (installationId: string, wanted: WantedRange): Promise<Result<CallFigures, 'invalid' | 'not_found'>> => {
    const storeId = await ports.locator.storeOf('installation', installationId);
    return storeId === null ? notFound('Installation') : read({ storeId, installationId }, wanted);
  };
};
