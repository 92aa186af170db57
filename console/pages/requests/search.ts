import { present, text, timeText } from '../../api/search.ts';

export const requestSearch = (given: Record<string, unknown>) =>
  present({
    app: text(given, 'app'),
    status: text(given, 'status'),
    route: text(given, 'route'),
    since: timeText(given, 'since'),
    after: text(given, 'after'),
    open: text(given, 'open'),
  });
