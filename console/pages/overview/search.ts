import { oneOf, present } from '../../api/search.ts';
import { RANGE_NAMES } from './ranges.ts';

export const rangeSearch = (given: Record<string, unknown>) => present({ range: oneOf(given, 'range', RANGE_NAMES) });
