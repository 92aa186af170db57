import { noticeText, type Notice } from '../../../domain/insight/incident-message.ts';

/** Escapes Slack's control characters. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Body for an incoming webhook of Slack, and of compatible services. */
export const slackMessage = (notices: readonly Notice[]) => {
  const { subject, lines } = noticeText(notices);
  const text = escaped([subject, ...lines].join('\n'));
  return { headers: { 'content-type': 'application/json', 'user-agent': 'Tenon-Incidents' }, body: JSON.stringify({ text }) };
};
