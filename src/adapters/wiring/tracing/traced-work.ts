import type { RecordedAttempt } from '../../../application/webhooks/delivery/deliver-due.ts';
import type { ObservedItem } from '../../../domain/media/media-import.ts';
import type { ImportTask } from '../../../domain/ports/media/media-import-repository.ts';
import { attemptTraceparent } from '../../../domain/trace.ts';
import { isDelivered } from '../../../domain/webhooks/delivery.ts';
import type { RequestSpans } from '../../http/serving/listener/observe.ts';
import type { Tracer } from '../../opentelemetry/tracer.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** On the admin listener the caller's trace continues. A stranger on the public one chooses neither trace nor sampling. */
export type CallersTrace = 'continued' | 'linked';

/** Keeps only the route of a path, and nothing of who asks: a path, a query and an address may be personal. */
export const requestSpans =
  (tracer: Tracer, callers: CallersTrace): RequestSpans =>
  (method, caller) => {
    const known = METHODS.has(method) ? method : '_OTHER';
    const span = tracer.begin({
      name: known,
      kind: 'server',
      ...(callers === 'continued' ? { parent: caller } : { parent: undefined, link: caller }),
      attributes: { 'http.request.method': known, 'url.scheme': 'http' },
    });
    return {
      traceparent: span.traceparent,
      end: ({ route, requestId, store, installation }, status) => {
        span.end({
          ...(route !== undefined && { name: route }),
          attributes: {
            'http.response.status_code': status,
            'tenon.request.id': requestId,
            ...(route !== undefined && { 'http.route': route.slice(route.indexOf(' ') + 1) }),
            ...(store !== undefined && { 'tenon.store': store }),
            ...(installation !== undefined && { 'tenon.installation.id': installation }),
          },
          error: status >= 500 ? String(status) : undefined,
        });
      },
    };
  };

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** The span whose id the attempt sent. Of the URL only host and port are kept: the rest may hold a secret. */
export const traceAttempt = (tracer: Tracer, { target, delivery, attempt }: RecordedAttempt): void => {
  const { traceparent: parent } = delivery;
  const as = attemptTraceparent(parent, delivery.id, attempt.number);
  if (parent === null || as === null) return;
  const url = new URL(target.url);
  const { startedAt, durationMs, status, error, number } = attempt;
  const attributes = {
    'http.request.method': 'POST',
    'http.request.resend_count': number - 1,
    'server.address': url.hostname,
    'server.port': portOf(url),
    'messaging.system': 'tenon',
    'messaging.operation.name': 'deliver',
    'messaging.message.id': delivery.eventId,
    'tenon.store.id': target.storeId,
    'tenon.subscription.id': target.subscriptionId,
    'tenon.delivery.id': delivery.id,
    ...(status !== null && { 'http.response.status_code': status }),
  };
  tracer.begin({ name: 'attempt', kind: 'client', parent, as, startedAt, attributes }).end({
    endedAt: startedAt + durationMs,
    error: isDelivered(attempt) ? undefined : (error ?? String(status)),
  });
};

/** Keeps only the owner of an image: its URL may hold a secret. */
export const traceItem = (tracer: Tracer, { outcome, durationSeconds }: ObservedItem, task: ImportTask): void => {
  if (task.traceparent === null) return;
  const endedAt = Date.now();
  const attributes = {
    'tenon.store.id': task.storeId,
    'tenon.installation.id': task.installationId,
    'tenon.import.id': task.importId,
    'tenon.import.item': task.index,
  };
  const startedAt = endedAt - durationSeconds * 1000;
  tracer
    .begin({ name: 'media', kind: 'internal', parent: task.traceparent, startedAt, attributes })
    .end({ endedAt, error: outcome === 'ready' ? undefined : outcome });
};
