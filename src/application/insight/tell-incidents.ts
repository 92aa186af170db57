import { eachOnce, type Notice } from '../../domain/insight/incident-message.ts';
import type { NoticeChannel } from '../../domain/insight/notice-rules.ts';
import type { Ports } from '../../domain/ports/index.ts';

const MAX_NOTICES = 1_000;

export interface Messenger {
  readonly channels: readonly NoticeChannel[];
  /**
   * Sends one message. Gives null once it was accepted, or else in a few words why not, without an address or a secret.
   */
  send(channel: NoticeChannel, notices: readonly Notice[]): Promise<string | null>;
  /** Aborts the messages that are being sent. */
  close(): void;
}

/** Sends the notices of each channel that are due, as one message. Any number of nodes may do it at once. */
export const tellIncidents =
  (
    { incidentNotices }: Pick<Ports, 'incidentNotices'>,
    messenger: Messenger,
    onNotTold: (channel: NoticeChannel, reason: string) => void,
  ) =>
  async (): Promise<void> => {
    for (const channel of messenger.channels) {
      const notices = await incidentNotices.take(channel, MAX_NOTICES);
      if (notices.length === 0) continue;
      const reason = await messenger.send(channel, eachOnce(notices));
      if (reason === null) await incidentNotices.sent(channel, notices);
      else onNotTold(channel, reason);
    }
  };
