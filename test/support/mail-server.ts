import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string;
  /** Header and body. */
  readonly text: string;
}

export interface MailServer {
  /** With the user and the password that it wants. */
  readonly url: string;
  readonly mails: readonly Mail[];
  /** The passwords that clients have sent. */
  readonly passwords: readonly string[];
  /** A client has connected. */
  readonly connected: Promise<void>;
  close(): Promise<void>;
}

/** A mail server without TLS, or with a certificate of its own making. It `refuses` every recipient, or never greets. */
export const startMailServer = async ({ refuses = false, isSilent = false, startTls = false } = {}): Promise<MailServer> => {
  const mails: Mail[] = [];
  const passwords: string[] = [];
  let connect = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  const server = new SMTPServer({
    ...(!startTls && { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }),
    allowInsecureAuth: true,
    authOptional: true,
    closeTimeout: 10,
    onConnect: (_session, done) => {
      connect();
      if (!isSilent) done();
    },
    onAuth: ({ username, password }, _session, done) => {
      passwords.push(String(password));
      if (password === 'secret-word') done(null, { user: username });
      else done(new Error('No.'));
    },
    onRcptTo: (_address, _session, done) => {
      done(refuses ? new Error('Nobody is here.') : null);
    },
    onData: (stream, { envelope, user }, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, user: String(user), text: Buffer.concat(parts).toString() });
        done();
      });
    },
  });
  // A client may go away in the middle.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '0.0.0.0', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://someone:secret-word@127.0.0.1:${String(port)}`,
    mails,
    passwords,
    connected,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
};
