import type { Incident } from '../ports/insight/incidents.ts';
import { plainName } from '../values/visible-name.ts';
import { impactText } from './impact-text.ts';
import { INCIDENT_RULES } from './incident-rules.ts';
import type { NoticePhase } from './notice-rules.ts';

/** The beginning or the end of an incident. */
export interface Notice {
  readonly phase: NoticePhase;
  readonly incident: Incident;
}

/** The most incidents of a message whose lines a person reads. */
const MAX_LINES = 20;

/** Each incident once: its end, where both are there. The others in their order. */
export const eachOnce = (notices: readonly Notice[]): readonly Notice[] => {
  const ended = new Set(notices.filter(({ phase }) => phase === 'end').map(({ incident }) => incident.id));
  return notices.filter(({ phase, incident }) => phase === 'end' || !ended.has(incident.id));
};

const whatOf = ({ kind, name, store }: Incident): string => {
  const where = store === null || store === name ? '' : ` (${store})`;
  return `${INCIDENT_RULES[kind].name}: ${plainName(name)}${where}`;
};

const lineOf = ({ phase, incident }: Notice): string => {
  const { kind, beganAt, endedAt, impact, cause } = incident;
  const since = phase === 'end' && endedAt !== null ? `from ${beganAt} to ${endedAt}` : `since ${beganAt}`;
  const counted = impactText({ count: impact, of: INCIDENT_RULES[kind].counts });
  return `${phase === 'end' ? 'Ended' : 'Began'}: ${whatOf(incident)}, ${since}. Impact: ${counted}. ${cause}`;
};

interface NoticeText {
  readonly subject: string;
  readonly lines: readonly string[];
}

const countOf = (notices: readonly Notice[], phase: NoticePhase): number =>
  notices.filter((notice) => notice.phase === phase).length;

/** Text for a person: a subject, and a line for each incident. */
export const noticeText = (notices: readonly Notice[]): NoticeText => {
  const [first] = notices;
  const [began, ended] = [countOf(notices, 'begin'), countOf(notices, 'end')];
  const several = [...(began > 0 ? [`${String(began)} began`] : []), ...(ended > 0 ? [`${String(ended)} ended`] : [])].join(', ');
  const subject =
    first && notices.length === 1
      ? `${first.phase === 'end' ? 'Ended' : 'Began'}: ${whatOf(first.incident)}`
      : `${String(notices.length)} incidents: ${several}`;
  const left = notices.length - MAX_LINES;
  const lines = notices.slice(0, MAX_LINES).map(lineOf);
  return { subject, lines: left > 0 ? [...lines, `And ${String(left)} more. tenon incidents lists all.`] : lines };
};
