import {
  afterAttempt,
  allowedInFlight,
  attemptHeaders,
  isDelivered,
  judgeAttempt,
  signedContent,
} from '../../domain/webhooks/delivery.ts';
import type { SubscriptionHealth } from '../../domain/webhooks/delivery.ts';
import type { Lease } from '../../domain/ports/work-lease.ts';
import type { DeliveryTarget, DueDelivery, HealthRecord } from '../../domain/ports/delivery-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import type { SettleAttempt } from './settle-attempts.ts';

export type SlicePorts = Pick<Ports, 'clock' | 'deliveries' | 'secrets' | 'webhookSender'>;

export const BATCH = 50;
/** With so few left of a batch the next one is taken, so that no slot waits for it. */
const TAKE_AHEAD = 20;
/** A subscription yields after so much, so that all get their turn. */
const MAX_DELIVERIES = 1_000;
const MAX_MS = 5_000;
/** While an attempt hangs, new deliveries of its subscription are looked for so often. */
const LOOK_MS = 250;

/** `takenAt`: by this process's clock, in milliseconds. */
interface Taken {
  readonly delivery: DueDelivery;
  readonly takenAt: number;
}

/** One turn of one subscription, served by the worker that has the lease. */
export class DeliverySlice {
  health: SubscriptionHealth;
  private readonly signers: readonly ((content: string) => string)[];
  private readonly begunAt: number;
  private inFlight = 0;
  /** Whoever waits for an attempt to end. One promise for each wait: a race of all in flight is one for each of them, and most of what a turn allocates. */
  private readonly waiting: (() => void)[] = [];
  /** Taken here and not recorded yet, the due among them. */
  private readonly unsettled = new Set<string>();
  /** The next one last. */
  private due: Taken[] = [];
  private taking: Promise<Taken[]> | null;
  private taken = 0;
  private ended = false;
  private failure: { readonly cause: unknown } | null = null;

  constructor(
    private readonly ports: SlicePorts,
    private readonly settings: DeliverySettings,
    private readonly settle: SettleAttempt,
    private readonly lease: Lease,
    private readonly target: DeliveryTarget,
    first: readonly DueDelivery[],
  ) {
    this.health = target.health;
    const context = target.installationId ?? target.subscriptionId;
    this.signers = target.secrets.map((sealed) => ports.secrets.webhookSigner(ports.secrets.open(sealed, context)));
    this.begunAt = ports.clock.now();
    this.taking = Promise.resolve(this.accept(first.slice(0, this.limit)));
  }

  /** Sends what is due until nothing is, the turn is over, or it must stop; resolves once nothing is in flight and all is recorded. */
  async run(): Promise<void> {
    try {
      await this.send();
    } finally {
      await Promise.allSettled([this.allEnd(), this.taking]);
    }
    if (this.failure) throw this.failure.cause;
  }

  private async send(): Promise<void> {
    while (this.mayGoOn()) {
      if (allowedInFlight(this.health, this.settings.maxInFlight) <= this.inFlight) {
        if (this.inFlight === 0) return;
        await this.oneEnds();
      } else if (this.due.length > 0 || (await this.take())) {
        const next = this.due.pop();
        if (next) void this.begin(next);
        if (this.due.length === TAKE_AHEAD) this.takeAhead();
      } else {
        // Nothing more is due. What comes meanwhile has its own call, but that waits for this one, and this one may hang.
        await Promise.race([this.allEnd(), this.ports.clock.pause(LOOK_MS)]);
        if (this.inFlight === 0) return;
      }
    }
  }

  private mayGoOn(): boolean {
    return !this.ended && !this.lease.signal.aborted && !this.settings.stopping.aborted;
  }

  /** Whether there is anything to begin. */
  private async take(): Promise<boolean> {
    const taking = (this.taking ??= this.next());
    this.due = await taking;
    this.taking = null;
    return this.due.length > 0;
  }

  private takeAhead(): void {
    this.taking ??= this.next();
    // Told to whoever takes the batch.
    this.taking.catch(() => undefined);
  }

  /** The next batch, the first one last. */
  private async next(): Promise<Taken[]> {
    if (this.taken >= MAX_DELIVERIES || this.ports.clock.now() - this.begunAt >= MAX_MS) return [];
    return this.accept(await this.ports.deliveries.due(this.target.subscriptionId, this.limit, [...this.unsettled]));
  }

  /** An open breaker lets one probe through. */
  private get limit(): number {
    return this.health.probeInSeconds === null ? BATCH : 1;
  }

  private accept(batch: readonly DueDelivery[]): Taken[] {
    for (const { id } of batch) this.unsettled.add(id);
    this.taken += batch.length;
    const takenAt = this.ports.clock.now();
    return batch.map((delivery) => ({ delivery, takenAt })).reverse();
  }

  private oneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  private async allEnd(): Promise<void> {
    while (this.inFlight > 0) await this.oneEnds();
  }

  /** Never rejects: what went wrong is told by `run`. */
  private async begin(taken: Taken): Promise<void> {
    this.inFlight += 1;
    try {
      if (await this.lease.mayBegin()) await this.attempt(taken);
      else this.ended = true;
    } catch (cause) {
      this.failure ??= { cause };
      this.ended = true;
    }
    this.inFlight -= 1;
    for (const tell of this.waiting.splice(0)) tell();
  }

  private async attempt({ delivery, takenAt }: Taken): Promise<void> {
    const { clock, secrets, webhookSender } = this.ports;
    const { subscriptionId, url } = this.target;
    const startedAt = clock.now();
    const waitedSeconds = delivery.attempts === 0 ? (startedAt - takenAt) / 1000 + delivery.ageSeconds : null;
    const timestamp = Math.floor(startedAt / 1000);
    const number = delivery.attempts + 1;
    const content = signedContent(delivery.eventId, timestamp, delivery.body);
    const signatures = this.signers.map((sign) => sign(content));
    const headers = attemptHeaders({ eventId: delivery.eventId, timestamp, signatures, subscriptionId, number });
    const response = await webhookSender.send({ subscriptionId, url, headers, body: delivery.body }, this.lease.signal);
    // Aborted: it counts as not begun.
    if (response === null) return;
    const { status, address, error, durationMs, body } = response;
    // Only a retry strays; most attempts are delivered.
    const random = isDelivered(response) ? 0 : (secrets.randomBytes(1)[0] ?? 0) / 256;
    const verdict = judgeAttempt(this.settings.schedule, delivery.tries + 1, response, random);
    await this.settle({
      attempt: { deliveryId: delivery.id, number, startedAt, durationMs, status, address, error, response: body, verdict },
      health: this.healthAfter(afterAttempt(this.health, response)),
    });
    this.unsettled.delete(delivery.id);
    this.settings.onAttempt({ outcome: verdict.kind, durationSeconds: durationMs / 1000, waitedSeconds });
  }

  /** What is to be recorded; null where a success finds a healthy subscription, which then costs no write. */
  private healthAfter(next: ReturnType<typeof afterAttempt>): HealthRecord | null {
    const unchanged = next.failures === 0 && this.health.failures === 0;
    this.health = next;
    this.ended ||= next.deactivates;
    return unchanged ? null : { ...next, subscriptionId: this.target.subscriptionId };
  }
}
