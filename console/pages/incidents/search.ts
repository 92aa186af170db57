import { present, text } from '../../api/search.ts';

/** Lists open incidents by default, or all. */
export const incidentSearch = (given: Record<string, unknown>) =>
  present({
    show: text(given, 'show') === 'all' ? ('all' as const) : undefined,
    after: text(given, 'after'),
  });

export type IncidentSearch = ReturnType<typeof incidentSearch>;
