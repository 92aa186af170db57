import type { AttemptOutcome } from '../../webhooks/delivery.ts';

export interface WebhookRequest {
  readonly subscriptionId: string;
  /** Owner of the look-ups that the host's name is counted with: an installation, for example. */
  readonly askedBy: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookResponse extends AttemptOutcome {
  /**
   * The address that the sender connected to, as text. Null when there was no connection, or a
   * proxy made it.
   */
  readonly address: string | null;
  /** At most 4 KiB of the body, as text that a database can store. Null when no response came. */
  readonly body: string | null;
  /** Whole milliseconds. */
  readonly durationMs: number;
}

export interface WebhookSender {
  /**
   * Sends one POST request. Refuses a URL when one of its host's addresses is not allowed, also a
   * literal address. Connects to an address that was checked. Does not follow redirects. Keeps 4
   * KiB of the response. Returns `timeout` when the attempt takes longer than it may. Returns what
   * went wrong as an outcome. Returns null when it was aborted before it ended.
   */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse | null>;
  /** Aborts all attempts. */
  close(): Promise<void>;
}
