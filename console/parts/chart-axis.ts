import uPlot from 'uplot';

import { axisZone } from './chart-words.ts';

/** uPlot places the marks of the axis by this time zone, where that is not the reader's. */
export const axisClock = (stepSeconds: number): { readonly tzDate?: (second: number) => Date } => {
  const zone = axisZone(stepSeconds);
  return zone === undefined ? {} : { tzDate: (second) => uPlot.tzDate(new Date(second * 1000), zone) };
};
