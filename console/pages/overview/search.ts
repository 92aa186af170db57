import { present, oneOf } from '../../api/search.ts';

export const overviewSearch = (given: Record<string, unknown>) =>
  present({ range: oneOf(given, 'range', ['1h', '24h', '7d', '30d'] as const) });
