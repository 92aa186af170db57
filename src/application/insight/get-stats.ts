import { figureRange } from '../../domain/insight/figures.ts';
import type { FigureRange, Step } from '../../domain/insight/figures.ts';
import type { FigureStep } from '../../domain/ports/figures.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

export interface Stats extends FigureRange {
  readonly steps: readonly FigureStep[];
}

/** The figures of a store. */
export const getStats =
  ({ figures, clock }: Pick<Ports, 'figures' | 'clock'>) =>
  async (
    storeId: string,
    wanted: { readonly from?: number | undefined; readonly to?: number | undefined; readonly step: Step },
  ): Promise<Result<Stats, 'invalid' | 'not_found'>> => {
    const range = figureRange(wanted, clock.now());
    if (!range.ok) return range;
    const steps = await figures.read(storeId, range.value);
    return steps ? ok({ ...range.value, steps }) : notFound('Store');
  };
