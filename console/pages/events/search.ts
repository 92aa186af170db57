import { present, text, timeText } from '../../api/search.ts';

export const eventSearch = (given: Record<string, unknown>) =>
  present({
    types: text(given, 'types'),
    resource: text(given, 'resource'),
    since: timeText(given, 'since'),
    until: timeText(given, 'until'),
    after: text(given, 'after'),
    open: text(given, 'open'),
  });
