import { present, text } from '../../api/search.ts';

export const trySearch = (given: Record<string, unknown>) => present({ app: text(given, 'app'), call: text(given, 'call') });
