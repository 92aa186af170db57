import { present, text } from '../../api/search.ts';

export const subscriptionSearch = (given: Record<string, unknown>) =>
  present({ app: text(given, 'app'), open: text(given, 'open') });
