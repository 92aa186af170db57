import { noticeText, type Notice } from '../../../domain/insight/incident-message.ts';

/** What Slack reads as a sign of its own. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** As an incoming webhook of Slack takes it, and of those that are compatible. */
export const slackMessage = (notices: readonly Notice[]) => {
  const { subject, lines } = noticeText(notices);
  const text = escaped([subject, ...lines].join('\n'));
  return { headers: { 'content-type': 'application/json', 'user-agent': 'Tenon-Incidents' }, body: JSON.stringify({ text }) };
};
