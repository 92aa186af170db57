import { oneOf, present, text } from '../../api/search.ts';

export const APP_STATUSES = ['Installed', 'Suspended', 'Uninstalled'] as const;

export const appsSearch = (given: Record<string, unknown>) =>
  present({ q: text(given, 'q'), status: oneOf(given, 'status', APP_STATUSES), after: text(given, 'after') });

export type AppsSearch = ReturnType<typeof appsSearch>;
