import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type IdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';

import type { Traceparent } from '../../domain/trace.ts';

/** Attributes have the names of the semantic conventions, or start with `tenon.` where the conventions name nothing. */
export interface NewSpan {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** The span that caused it. Undefined begins a trace. */
  readonly parent: Traceparent | undefined;
  /** A span of somebody else's trace that led to this one. */
  readonly link?: Traceparent | undefined;
  readonly attributes: Attributes;
  /** Milliseconds since the epoch; now by default. */
  readonly startedAt?: number;
  /** The id that it was given elsewhere, in its traceparent. */
  readonly as?: Traceparent;
}

export interface SpanEnd {
  readonly name?: string;
  readonly attributes?: Attributes;
  /** The `error.type` of what failed. */
  readonly error?: string | undefined;
  /** Milliseconds since the epoch; now by default. */
  readonly endedAt?: number;
}

export interface OpenSpan {
  readonly traceparent: Traceparent;
  end(end: SpanEnd): void;
}

export interface Tracer {
  begin(span: NewSpan): OpenSpan;
  /** Sends the spans that wait, and begins no more. */
  close(): Promise<void>;
}

export interface TracerOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT. The SDK reads the other variables of OpenTelemetry from the environment. */
  readonly endpoint: string;
  readonly version: string;
  /** Spans were not accepted, and are lost. */
  readonly onLost: (error: Error | undefined) => void;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

const contextOf = (traceparent: Traceparent): SpanContext => {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
};

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): Traceparent =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

const parentOf = (parent: Traceparent | undefined): Context =>
  parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent));

/** Random ids, but for a span that has one already. */
class SpanIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  next: string | null = null;

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.next ?? this.#random.generateSpanId();
  }
}

const reporting = (exporter: SpanExporter, onLost: TracerOptions['onLost']): SpanExporter => ({
  export: (spans, done) => {
    exporter.export(spans, (result) => {
      if (result.error) onLost(result.error);
      done(result);
    });
  },
  forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  shutdown: () => exporter.shutdown(),
});

/** Spans by OpenTelemetry, sent in batches by OTLP over HTTP. Only this module loads its SDK. */
export const openTracer = ({ endpoint, version, onLost }: TracerOptions): Tracer => {
  const ids = new SpanIds();
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'tenon', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reporting(exporter, onLost))],
  });
  const tracer = provider.getTracer('tenon', version);
  return {
    begin: ({ name, kind, parent, link, attributes, startedAt, as }) => {
      ids.next = as === undefined ? null : contextOf(as).spanId;
      const options = {
        kind: KINDS[kind],
        attributes,
        ...(link !== undefined && { links: [{ context: contextOf(link) }] }),
        ...(startedAt !== undefined && { startTime: startedAt }),
      };
      const span = tracer.startSpan(name, options, parentOf(parent));
      ids.next = null;
      return {
        traceparent: traceparentOf(span.spanContext()),
        end: (end) => {
          if (end.name !== undefined) span.updateName(end.name);
          if (end.attributes) span.setAttributes(end.attributes);
          if (end.error !== undefined) span.setAttribute('error.type', end.error).setStatus({ code: SpanStatusCode.ERROR });
          span.end(end.endedAt);
        },
      };
    },
    close: () => provider.shutdown(),
  };
};
