import { present, text } from '../../api/search.ts';

export const productSearch = (given: Record<string, unknown>) =>
  present({ q: text(given, 'q'), status: text(given, 'status'), skip: text(given, 'skip') });
