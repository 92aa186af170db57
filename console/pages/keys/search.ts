import { present, text } from '../../api/search.ts';

export const keySearch = (given: Record<string, unknown>) => present({ app: text(given, 'app'), key: text(given, 'key') });
