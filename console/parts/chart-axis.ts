import uPlot from 'uplot';

import { axisZone } from './chart-words.ts';

/** What uPlot places the marks of the axis by, where that is not the zone of the reader. */
export const axisClock = (stepSeconds: number): { readonly tzDate?: (second: number) => Date } => {
  const zone = axisZone(stepSeconds);
  return zone === undefined ? {} : { tzDate: (second) => uPlot.tzDate(new Date(second * 1000), zone) };
};
