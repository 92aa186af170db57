import { present, text } from '../../api/search.ts';

export const changeSearch = (given: Record<string, unknown>) =>
  present({ after: text(given, 'after'), open: text(given, 'open') });

export type ChangeSearch = ReturnType<typeof changeSearch>;
