import { present, text } from '../../api/search.ts';

export const searchSearch = (given: Record<string, unknown>) => present({ q: text(given, 'q') });
