import { oneOf, present } from '../../api/search.ts';
import { RANGE_NAMES } from './ranges.ts';

/** The range of the figures on a page. */
export const rangeSearch = (given: Record<string, unknown>) => present({ range: oneOf(given, 'range', RANGE_NAMES) });
