import { present, text } from '../../api/search.ts';

export const pageSearch = (given: Record<string, unknown>) => present({ skip: text(given, 'skip') });

export type PageSearch = ReturnType<typeof pageSearch>;
