import type { Logger } from 'pino';

import type { Tracer } from '../../opentelemetry/tracer.ts';
import { withTimeout } from '../../startup/deadline.ts';
import { VERSION } from '../../startup/version.ts';
import type { Closers } from '../ports/closers.ts';
import type { Config } from '../settings/config.ts';

/** The end of the process waits no longer for the last spans. */
const CLOSE_MS = 2_000;

/** Null where no collector is set: then nothing of OpenTelemetry is loaded. */
export const openTracing = async (
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
  { log, closers }: { readonly log: Logger; readonly closers: Closers },
): Promise<Tracer | null> => {
  if (endpoint === undefined) return null;
  const { openTracer } = await import('../../opentelemetry/tracer.ts');
  const onLost = (error: Error | undefined): void => {
    log.warn({ err: error }, 'The collector did not accept spans. They are lost.');
  };
  const tracer = openTracer({ endpoint, version: VERSION, onLost });
  closers.push(() => withTimeout(CLOSE_MS, tracer.close(), () => onLost(undefined)));
  return tracer;
};
