import { oneOf, present } from '../../api/search.ts';
import { RANGE_NAMES } from './ranges.ts';

export const overviewSearch = (given: Record<string, unknown>) => present({ range: oneOf(given, 'range', RANGE_NAMES) });
