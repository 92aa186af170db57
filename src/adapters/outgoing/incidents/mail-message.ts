import { createTransport, type Transporter } from 'nodemailer';

import { noticeText, type Notice } from '../../../domain/insight/incident-message.ts';
import { codeOf } from '../../../domain/values/error.ts';
import { isLoopback } from '../../../domain/values/loopback.ts';

export interface MailOptions {
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
const reasonOf = (error: unknown): string => {
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
export const createIncidentMail = ({ smtpUrl, from, to }: MailOptions): IncidentMail => {
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
        .then(() => null, reasonOf);
      return Promise.race([sent, aborted(until)]);
    },
    close: () => {
      transport.close();
    },
  };
};
