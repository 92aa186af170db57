import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';

/** The ports over which the transaction's events, imports and idempotency key keep the request. */
const keeping = (ports: TransactionPorts, requestId: string): TransactionPorts => ({
  ...ports,
  events: { append: (events) => ports.events.append(events, requestId) },
  idempotency: {
    ...ports.idempotency,
    remember: (scope, response) => ports.idempotency.remember(scope, response, requestId),
  },
  mediaImports: { ...ports.mediaImports, create: (given) => ports.mediaImports.create({ ...given, requestId }) },
});

/**
 * The ports of one request: each event, import and finished key that they write keeps the
 * request's id.
 */
export const causedBy = (ports: Ports, requestId: string): Ports => ({
  ...ports,
  deliveryLog: { ...ports.deliveryLog, ping: (subscriptionId) => ports.deliveryLog.ping(subscriptionId, requestId) },
  transaction: { run: (work) => ports.transaction.run((tx) => work(keeping(tx, requestId))) },
});
