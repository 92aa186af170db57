import type { Notice } from '../../../domain/insight/incident-message.ts';
import type { NoticeChannel } from '../../../domain/insight/notice-rules.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { Secrets } from '../../../domain/ports/secrets.ts';
import type { WebhookSender } from '../../../domain/ports/webhooks/webhook-sender.ts';
import { isDelivered } from '../../../domain/webhooks/delivery.ts';
import { withDeadline } from '../../startup/deadline.ts';
import { createIncidentMail, type MailOptions } from './mail-message.ts';
import { slackMessage } from './slack-message.ts';
import { webhookMessage } from './webhook-message.ts';

interface MessengerOptions {
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly secrets: Pick<Secrets, 'webhookSigner'>;
  readonly webhook: { readonly url: string; readonly secret: string } | null;
  readonly slackUrl: string | null;
  readonly mail: MailOptions | null;
}

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Shorter than the time between two messages of a channel. */
const SEND_MS = 30_000;

/** Sends messages to the addresses of the settings, under the guard of webhooks. */
export const createIncidentMessenger = ({ sender, webhook, slackUrl, mail: mailOptions, ...making }: MessengerOptions) => {
  const closing = new AbortController();
  const mail = mailOptions && createIncidentMail(mailOptions);
  const posts: Readonly<Partial<Record<NoticeChannel, (notices: readonly Notice[]) => Post>>> = {
    ...(webhook && { webhook: (notices) => ({ url: webhook.url, ...webhookMessage(notices, webhook.secret, making) }) }),
    ...(slackUrl !== null && { slack: (notices) => ({ url: slackUrl, ...slackMessage(notices) }) }),
  };
  const post = async (channel: NoticeChannel, request: Post): Promise<string | null> => {
    const response = await withDeadline(SEND_MS, closing.signal, (until) =>
      sender.send({ subscriptionId: `incidents ${channel}`, askedBy: 'incidents', ...request }, until),
    );
    if (response === null) return 'timeout';
    if (isDelivered(response)) return null;
    return response.error ?? `status ${String(response.status)}`;
  };
  return {
    channels: [...(Object.keys(posts) as NoticeChannel[]), ...(mail ? (['mail'] as const) : [])],
    send: async (channel: NoticeChannel, notices: readonly Notice[]): Promise<string | null> => {
      if (channel === 'mail' && mail) return withDeadline(SEND_MS, closing.signal, (until) => mail.send(notices, until));
      const make = posts[channel];
      return make ? post(channel, make(notices)) : 'not set up';
    },
    close: (): void => {
      closing.abort();
      mail?.close();
    },
  };
};
