import type { Logger } from 'pino';

import type { Application } from '../../../application/index.ts';
import type { WorkShare } from '../../http/work-share.ts';
import type { LiveReaders } from '../../http/live/live-readers.ts';
import type { SandboxBudget } from '../../http/serving/sandbox-budget.ts';
import type { InFlight } from '../../http/serving/listener/in-flight.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { LiveChannel } from '../../../domain/ports/webhooks/live-channel.ts';
import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import type { Config } from '../settings/config.ts';
import type { Tracer } from '../../opentelemetry/tracer.ts';
import type { NameFigures } from '../../node/names/address-resolver.ts';
import type { Metrics } from '../../prometheus/metrics.ts';
import type { Storage } from '../../storage/storage.ts';
import type { NodeObservations } from '../node-observations.ts';

import type { FigureCounter } from './shared-figures.ts';
import type { GenerationWatch } from './generation-watch.ts';
import type { Membership } from '../processes/membership.ts';

/** A name with a type, so that what is resolved has the type of what was registered. */
export class Token<T> {
  declare readonly type: T;
  constructor(readonly name: string) {}
}

export const TOKENS = {
  log: new Token<Logger>('log'),
  config: new Token<Config>('config'),
  generation: new Token<GenerationWatch>('generation'),
  membership: new Token<Membership>('membership'),
  storage: new Token<Storage>('storage'),
  observations: new Token<NodeObservations>('observations'),
  ports: new Token<Ports>('ports'),
  limiter: new Token<RateLimiter>('limiter'),
  metrics: new Token<Metrics>('metrics'),
  sharedFigures: new Token<FigureCounter>('sharedFigures'),
  /** Null where no collector of traces is set. */
  tracer: new Token<Tracer | null>('tracer'),
  live: new Token<LiveChannel>('live'),
  liveReaders: new Token<LiveReaders>('liveReaders'),
  sandboxBudget: new Token<SandboxBudget>('sandboxBudget'),
  workShare: new Token<WorkShare>('workShare'),
  nameFigures: new Token<() => NameFigures>('nameFigures'),
  inFlight: new Token<InFlight>('inFlight'),
  stopping: new Token<AbortController>('stopping'),
  application: new Token<Application>('application'),
  /** For the app API. Its statements are cancelled after DATABASE_STATEMENT_TIMEOUT_MS. */
  appApplication: new Token<Application>('appApplication'),
};
