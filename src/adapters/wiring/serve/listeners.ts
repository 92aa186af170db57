import type { Request } from 'express';
import type { Logger } from 'pino';

import { rateLimitPolicy } from '../../../domain/identity/rate-limit.ts';
import { redactingToken } from '../../../domain/identity/redact.ts';
import type { IdentityProvider } from '../../../domain/ports/identity/identity-provider.ts';
import { knownHost, scrapedHosts } from '../../http/console/known-host.ts';
import type { Resources } from '../../http/handler.ts';
import type { Readiness } from '../../http/pages/readiness.ts';
import { adminListenerRoutes, publicRoutes } from '../../http/routes.ts';
import { createAdminAttempts } from '../../http/serving/admit/admin-attempts.ts';
import { admitAdmin } from '../../http/serving/admit/admit-admin.ts';
import { admitApps } from '../../http/serving/admit/admit-app.ts';
import { bearerCredential } from '../../http/serving/admit/app-admission.ts';
import { FailedTokens, rememberIssued, type TokenNews } from '../../http/serving/admit/failed-tokens.ts';
import { createFailureLimit } from '../../http/serving/admit/failure-limit.ts';
import { createHttpApp } from '../../http/serving/app.ts';
import { createAudit } from '../../http/serving/audit.ts';
import { originOf, trustsProxies, type TrustsProxy } from '../../http/serving/listener/host.ts';
import { listen, type Listener } from '../../http/serving/listener/listener.ts';
import { createOwnApi } from '../../http/trial/own-api.ts';
import type { Tracer } from '../../opentelemetry/tracer.ts';
import { createIdentityProvider } from '../../outgoing/provider/identity-provider.ts';
import type { Container } from '../ports/container.ts';
import { TOKENS } from '../ports/tokens.ts';
import type { Config } from '../settings/config.ts';
import { adminAddress, connectionShare, consoleHosts, publicAddress } from '../settings/derived-settings.ts';
import { requestSpans, type CallersTrace } from '../tracing/traced-work.ts';
import { appConsole } from './app-console.ts';
import { documentText, MAX_JSON_BYTES } from './documents.ts';
import type { LogGathering } from './gathering.ts';
import { merchantConsole } from './merchant-console.ts';
import { filesUnlessErased, unlessErased } from './unless-erased.ts';

/** The identity provider of the settings; null where none is set. */
const providerOf = (config: Config, log: Logger): IdentityProvider | null => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return createIdentityProvider({
    name: name ?? new URL(issuer).host,
    issuer,
    clientId,
    clientSecret,
    onFailure: (reason) => {
      log.warn({ issuer, reason }, 'A sign-in at the identity provider failed.');
    },
  });
};

/** An import alone may take longer: it streams a file of any size. */
const REQUEST_MS = 30_000;

const bounds = (name: 'public' | 'admin', container: Container, maxConnections: number, trusts: TrustsProxy) => ({
  requestTimeoutMs: REQUEST_MS,
  maxConnections,
  trusts,
  onConnectionRefused: () => container.resolve(TOKENS.metrics).connectionRefused(name),
});

const traced = (tracer: Tracer | null, callers: CallersTrace) => tracer && { beginSpan: requestSpans(tracer, callers) };

const shared = (
  container: Container,
  { readiness, callers }: { readonly readiness: Readiness; readonly callers: CallersTrace },
  { ownApi = null, metrics = container.resolve(TOKENS.metrics) }: Partial<Pick<Resources, 'ownApi' | 'metrics'>> = {},
) => ({
  log: container.resolve(TOKENS.log),
  ids: container.resolve(TOKENS.ports).ids,
  inFlight: container.resolve(TOKENS.inFlight),
  onRequest: container.resolve(TOKENS.metrics).request,
  ...traced(container.resolve(TOKENS.tracer), callers),
  redact: redactingToken(container.resolve(TOKENS.config).ADMIN_TOKEN),
  limiter: container.resolve(TOKENS.limiter),
  budget: container.resolve(TOKENS.sandboxBudget),
  resources: {
    readiness,
    fault: () => container.resolve(TOKENS.generation).fault(),
    metrics,
    mediaStorage: filesUnlessErased(container.resolve(TOKENS.ports)),
    live: container.resolve(TOKENS.liveReaders),
    workShare: container.resolve(TOKENS.workShare),
    stopping: container.resolve(TOKENS.stopping).signal,
    ownApi,
  },
});

/** The processes that serve the same port, this one included, and how they tell each other about tokens. */
export interface Siblings {
  readonly count: number;
  tell(news: TokenNews): void;
  onNews(listener: (news: TokenNews) => void): void;
}

const ALONE: Siblings = { count: 1, tell: () => undefined, onNews: () => undefined };

export const listenPublic = (
  container: Container,
  config: Config,
  readiness: Readiness,
  gathering: LogGathering,
  siblings = ALONE,
): Promise<Listener> => {
  const trusts = trustsProxies(config.TRUSTED_PROXIES);
  const { FAILED_TOKEN_RATE_LIMIT_PER_SECOND: perSecond, FAILED_TOKEN_RATE_LIMIT_BURST: burst } = config;
  const failures = new FailedTokens({ policy: rateLimitPolicy(perSecond, burst), tell: (news) => siblings.tell(news) });
  siblings.onNews((news) => failures.hear(news));
  const application = rememberIssued(container.resolve(TOKENS.appApplication), failures);
  const backend = {
    ...shared(container, { readiness, callers: 'linked' }),
    application,
    admit: admitApps({
      credential: bearerCredential(application),
      failures,
      trusts,
      storeHeader: config.NODE_ENV === 'production' ? 'refused' : 'taken',
    }),
    maxBodyBytes: { bulk: config.BULK_MAX_BODY_BYTES, other: MAX_JSON_BYTES },
    maxBulkProducts: config.BULK_MAX_PRODUCTS,
    ...gathering.observers,
  };
  const http = createHttpApp({
    ...backend,
    routes: publicRoutes,
    openApi: documentText(config, 'app'),
    errors: 'plain',
    isDocsHome: config.NODE_ENV === 'development',
    ...(config.APP_CONSOLE && { console: appConsole(backend, { failures, onAuditRefused: gathering.onAuditRefused }, config) }),
  });
  return listen(http, {
    ...publicAddress(config),
    ...bounds('public', container, connectionShare(config, siblings.count), trusts),
    log: container.resolve(TOKENS.log),
    errors: 'plain',
  });
};

/** `api` is the public side, null on a worker. */
export const listenAdmin = (
  container: Container,
  config: Config,
  readiness: Readiness,
  { onAuditRefused }: Pick<LogGathering, 'onAuditRefused'>,
  api: { readonly url: string; readonly others?: Pick<Resources, 'metrics'> } | null,
): Promise<Listener> => {
  const { secrets } = container.resolve(TOKENS.ports);
  const application = container.resolve(TOKENS.application);
  const trusts = trustsProxies(config.TRUSTED_PROXIES);
  const attempts = createAdminAttempts(createFailureLimit(container.resolve(TOKENS.limiter), 'admin-address'), trusts);
  const consoleOrigin = (request: Request) => config.CONSOLE_URL ?? originOf(request, trusts);
  const common = shared(container, { readiness, callers: 'continued' }, { ownApi: api && createOwnApi(api.url), ...api?.others });
  const provider = providerOf(config, common.log);
  const backend = {
    ...common,
    audit: createAudit({ redact: common.redact, trusts, onAuditRefused }),
    application,
    consoleOrigin,
    admit: unlessErased(
      admitAdmin({ isAdminToken: (token) => secrets.equal(token, config.ADMIN_TOKEN), attempts, application }),
      application,
    ),
    maxBodyBytes: { bulk: config.BULK_MAX_BODY_BYTES, other: config.BULK_MAX_BODY_BYTES },
    maxBulkProducts: config.BULK_MAX_PRODUCTS,
  };
  const http = createHttpApp({
    ...backend,
    routes: adminListenerRoutes,
    openApi: documentText(config, 'admin'),
    errors: 'problem',
    isDocsHome: config.NODE_ENV === 'development',
    console: merchantConsole(backend, { attempts, onAuditRefused, originOf: consoleOrigin, provider }, config),
    guard: knownHost({ trusts, isKnown: scrapedHosts(consoleHosts(config)) }),
  });
  return listen(http, {
    ...adminAddress(config),
    ...bounds('admin', container, config.MAX_CONNECTIONS, trusts),
    log: container.resolve(TOKENS.log),
    errors: 'problem',
  });
};
