import type { FigureRange } from '../../../domain/insight/figures.ts';
import { isoTime } from '../../../domain/time.ts';

/** Figures of a range, with its times as texts. */
export const figuresAnswer = <Of extends FigureRange>({ from, to, ...figures }: Of) => ({
  from: isoTime(from),
  to: isoTime(to),
  ...figures,
});
