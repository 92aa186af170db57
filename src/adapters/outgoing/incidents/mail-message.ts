import { createTransport, type Transporter } from 'nodemailer';

import { noticeText, type Notice } from '../../../domain/insight/incident-message.ts';
import { codeOf } from '../../../domain/values/error.ts';

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
  return typeof code === 'string' ? code : 'failed';
};

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('timeout');
    else signal.addEventListener('abort', () => resolve('timeout'), { once: true });
  });

/** One connection for each message: there are few. */
export const createIncidentMail = ({ smtpUrl, from, to }: MailOptions): IncidentMail => {
  const transport: Transporter = createTransport({
    url: smtpUrl,
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
