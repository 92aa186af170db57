import { createTransport, type Transporter } from 'nodemailer';

import { noticeText, type Notice } from '../../../domain/insight/incident-message.ts';
import { INCIDENT_RULES } from '../../../domain/insight/incident-rules.ts';
import type { NoticeChannel } from '../../../domain/insight/notice-rules.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { Secrets } from '../../../domain/ports/secrets.ts';
import type { WebhookSender } from '../../../domain/ports/webhooks/webhook-sender.ts';
import { isoTime } from '../../../domain/time.ts';
import { codeOf } from '../../../domain/values/error.ts';
import { isLoopback } from '../../../domain/values/url.ts';
import { isDelivered } from '../../../domain/webhooks/delivery.ts';
import { signedContent } from '../../../domain/webhooks/webhook-message.ts';
import { withDeadline } from '../../startup/deadline.ts';

interface MailOptions {
  /** `smtp://` or `smtps://`, with the user and the password where the server wants them. */
  readonly smtpUrl: string;
  readonly from: string;
  readonly to: readonly string[];
}

interface IncidentMail {
  /** Gives null once the server has accepted it, or else in a few words why not. */
  send(notices: readonly Notice[], until: AbortSignal): Promise<string | null>;
  close(): void;
}

/** Each step of the exchange with the server. */
const STEP_MS = 10_000;

/** The message of an error may have the address of the server and what it answered. */
const mailFault = (error: unknown): string => {
  const code = codeOf(error);
  if (code === 'ETLS') return 'the server does not offer STARTTLS';
  return typeof code === 'string' ? code : 'failed';
};

/**
 * Somebody between could take the offer of STARTTLS away, and read the password. What the query of the URL says about TLS
 * would win over an option beside it.
 */
const withTls = (smtpUrl: string): string => {
  const url = new URL(smtpUrl);
  if ((url.username !== '' || url.password !== '') && !isLoopback(url.hostname)) url.searchParams.set('requireTLS', 'true');
  return url.href;
};

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('timeout');
    else signal.addEventListener('abort', () => resolve('timeout'), { once: true });
  });

/** Each message has its own connection: there are few. */
const createIncidentMail = ({ smtpUrl, from, to }: MailOptions): IncidentMail => {
  const transport: Transporter = createTransport({
    url: withTls(smtpUrl),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: (notices, until) => {
      const { subject, lines } = noticeText(notices);
      const sent = transport
        .sendMail({ from, to: [...to], subject: `[Tenon] ${subject}`, text: `${lines.join('\n\n')}\n` })
        .then(() => null, mailFault);
      return Promise.race([sent, aborted(until)]);
    },
    close: () => {
      transport.close();
    },
  };
};

/** Escapes Slack's control characters. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Body for an incoming webhook of Slack, and of compatible services. */
const slackMessage = (notices: readonly Notice[]) => {
  const { subject, lines } = noticeText(notices);
  const text = escaped([subject, ...lines].join('\n'));
  return { headers: { 'content-type': 'application/json', 'user-agent': 'Tenon-Incidents' }, body: JSON.stringify({ text }) };
};

interface Making {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly secrets: Pick<Secrets, 'webhookSigner'>;
}

const shown = ({ phase, incident }: Notice) => {
  const { id, storeId, store, kind, name, beganAt, endedAt, impact, cause } = incident;
  const { name: title, counts } = INCIDENT_RULES[kind];
  const of = { id, storeId, store, kind, title, name, beganAt };
  return { phase, ...of, endedAt: phase === 'end' ? endedAt : null, impact: { count: impact, of: counts }, cause };
};

/** Signed as Standard Webhooks 1.0.0 specifies, like the webhooks of apps. */
const webhookMessage = (notices: readonly Notice[], secret: string, { clock, ids, secrets }: Making) => {
  const id = ids.next();
  const now = clock.now();
  const timestamp = Math.floor(now / 1000);
  const body = JSON.stringify({ id, type: 'incidents', timestamp: isoTime(now), data: { incidents: notices.map(shown) } });
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tenon-Incidents',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': secrets.webhookSigner(secret)(signedContent(id, timestamp, body)),
    },
    body,
  };
};

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
