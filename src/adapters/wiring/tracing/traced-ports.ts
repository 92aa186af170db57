import type { Application } from '../../../application/index.ts';
import type { Cause } from '../../../domain/cause.ts';
import type { Ports } from '../../../domain/ports/index.ts';
import type { Transaction } from '../../../domain/ports/transaction.ts';
import type { NewSpan, SpanEnd, Tracer } from '../../opentelemetry/tracer.ts';

const errorType = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** Runs the work in a span of the cause's trace. Work outside of a trace gets no span. */
const inSpan = async <T>(
  tracer: Tracer,
  cause: Cause,
  span: Pick<NewSpan, 'name' | 'kind' | 'attributes'>,
  run: () => Promise<T>,
  endOf: (value: T) => SpanEnd = () => ({}),
): Promise<T> => {
  if (!cause?.traceparent) return run();
  const open = tracer.begin({ ...span, parent: cause.traceparent });
  try {
    const value = await run();
    open.end(endOf(value));
    return value;
  } catch (error) {
    open.end({ error: errorType(error) });
    throw error;
  }
};

const tracedTransaction = (transaction: Transaction, tracer: Tracer, system: string): Transaction => {
  const span = { name: 'transaction', kind: 'client', attributes: { 'db.system.name': system } } as const;
  return {
    run: (cause, work) => inSpan(tracer, cause, span, () => transaction.run(cause, work)),
    runClaimed: (claim, work) => inSpan(tracer, claim.cause, span, () => transaction.runClaimed(claim, work)),
  };
};

/** A fan-out takes the events of several traces, and each shows it. */
const tracedDeliveries = (deliveries: Ports['deliveries'], tracer: Tracer): Ports['deliveries'] => ({
  ...deliveries,
  fanOut: async (storeId, limit) => {
    const startedAt = Date.now();
    const fannedOut = await deliveries.fanOut(storeId, limit);
    const attributes = {
      'messaging.system': 'tenon',
      'messaging.operation.name': 'fan-out',
      'messaging.batch.message_count': fannedOut.events,
      'tenon.store.id': storeId,
    };
    const endedAt = Date.now();
    for (const parent of fannedOut.traceparents) {
      tracer.begin({ name: 'fan-out', kind: 'internal', parent, startedAt, attributes }).end({ endedAt });
    }
    return fannedOut;
  },
});

/** The ports whose transactions and fan-outs are spans. `system` is the `db.system.name` of the storage. */
export const tracedPorts = (ports: Ports, tracer: Tracer, system: string): Ports => ({
  ...ports,
  transaction: tracedTransaction(ports.transaction, tracer, system),
  deliveries: tracedDeliveries(ports.deliveries, tracer),
});

/** The application whose imports of products are spans. */
export const tracingImports = (application: Application, tracer: Tracer): Application => ({
  ...application,
  importProducts: (cause, storeId, items, options) =>
    inSpan(
      tracer,
      cause,
      { name: 'import', kind: 'internal', attributes: { 'tenon.store.id': storeId } },
      () => application.importProducts(cause, storeId, items, options),
      ({ read, created, updated, unchanged, failed }) => ({
        attributes: {
          'tenon.import.read': read,
          'tenon.import.created': created,
          'tenon.import.updated': updated,
          'tenon.import.unchanged': unchanged,
          'tenon.import.failed': failed,
        },
      }),
    ),
});
