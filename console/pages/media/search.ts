import { present, text } from '../../api/search.ts';

export const mediaSearch = (given: Record<string, unknown>) =>
  present({ app: text(given, 'app'), status: text(given, 'status'), after: text(given, 'after'), open: text(given, 'open') });
