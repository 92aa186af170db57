import { present, text } from '../../api/search.ts';

/** Which incidents are listed: those that are open, unless all are asked for. */
export const incidentSearch = (given: Record<string, unknown>) =>
  present({
    show: text(given, 'show') === 'all' ? ('all' as const) : undefined,
    after: text(given, 'after'),
  });

export type IncidentSearch = ReturnType<typeof incidentSearch>;
