import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { messageOf } from '../common/error-details.ts';

/** The receiver of spans, and their description of the service. */
export type TracingSettings = {
  /** The URL of a collector for traces (OTLP/HTTP). */
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of the traces that begin here, 0 to 1. A caller decides about its own. */
  sampledShare: number;
};

type Attributes = Record<string, string | number | undefined>;

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  isSampled: boolean;
  name: string;
  /** As OTLP numbers them. */
  kind: 1 | 2;
  startedAt: number;
};
const INTERNAL = 1;
const SERVER = 2;
/** The status of a span that failed, as OTLP numbers it. */
const ERROR = { code: 2 };

/** Spans that wait to be sent. Further ones are dropped: a collector that is down must not fill the memory. */
const MAX_WAITING = 8_192;
const SPANS_AT_ONCE = 512;
const SEND_TIMEOUT_MS = 10_000;

/** Traces requests and the work that they cause. */
export type Tracing = ReturnType<typeof createTracing>;

/**
 * Creates what sends spans to an OpenTelemetry collector as JSON. The packages of OpenTelemetry would add 18 MB to an
 * installation of 42 MB for this one message.
 *
 * @param onDropped called with the number of spans that were not sent
 */
export function createTracing(settings: TracingSettings, onDropped: (spans: number) => void) {
  const current = new AsyncLocalStorage<Span>();
  const ofRequests = new WeakMap<object, Span>();
  const queue = createSpanQueue(prepareSend(settings), onDropped);

  function begin(name: string, kind: Span['kind'], parent: Parent | undefined): Span {
    return {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      parentSpanId: parent?.spanId,
      isSampled: parent?.isSampled ?? Math.random() < settings.sampledShare,
      name,
      kind,
      startedAt: performance.now(),
    };
  }

  function end({ isSampled, startedAt, ...span }: Span, attributes: Attributes, hasFailed: boolean): void {
    if (!isSampled) return;
    queue.add({
      ...span,
      startTimeUnixNano: toUnixNanoseconds(startedAt),
      endTimeUnixNano: toUnixNanoseconds(performance.now()),
      attributes: toAttributes(attributes),
      ...(hasFailed && { status: ERROR }),
    });
  }

  return {
    /**
     * Begins the span of a request, as part of the trace that its client names. `handle` gets the `traceparent` of the
     * span; what it calls belongs to the span.
     */
    beginRequest(request: object, sent: string | undefined, handle: (traceparent: string) => void): void {
      const span = begin('request', SERVER, sent === undefined ? undefined : parseTraceparent(sent));
      ofRequests.set(request, span);
      current.run(span, handle, formatTraceparent(span));
    },
    /** Returns the `traceparent` for a request that belongs to the work that runs. */
    traceparent(): string | undefined {
      const span = current.getStore();
      return span && formatTraceparent(span);
    },
    endRequest(request: object, name: string, attributes: Attributes, hasFailed: boolean): void {
      const span = ofRequests.get(request);
      if (span) end({ ...span, name }, attributes, hasFailed);
    },
    /** Runs work in a span of its own, which belongs to the one around it. */
    async run<T>(name: string, work: () => Promise<T>): Promise<T> {
      const span = begin(name, INTERNAL, current.getStore());
      let hasFailed = true;
      try {
        const result = await current.run(span, work);
        hasFailed = false;
        return result;
      } finally {
        end(span, {}, hasFailed);
      }
    },
    /** Sends the spans that have ended. Those that the collector does not take are dropped. */
    flush: queue.flush,
  };
}

/** Creates the queue of the spans that have ended. */
function createSpanQueue(send: (spans: object[]) => Promise<void>, onDropped: (spans: number) => void) {
  let waiting: object[] = [];
  return {
    add(span: object): void {
      if (waiting.length < MAX_WAITING) waiting.push(span);
      else onDropped(1);
    },
    async flush(): Promise<void> {
      const spans = waiting;
      waiting = [];
      for (let start = 0; start < spans.length; start += SPANS_AT_ONCE)
        await send(spans.slice(start, start + SPANS_AT_ONCE)).catch((error: unknown) => {
          onDropped(spans.length - start);
          throw error;
        });
    },
  };
}

type Parent = Pick<Span, 'traceId' | 'spanId' | 'isSampled'>;

/** Parses a valid `traceparent`: version, trace, span and flags, of which the lowest says that the trace is sampled. */
function parseTraceparent(text: string): Parent {
  const [, traceId = '', spanId = '', flags = ''] = text.split('-');
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

function formatTraceparent({ traceId, spanId, isSampled }: Span): string {
  return `00-${traceId}-${spanId}-0${Number(isSampled)}`;
}

function toUnixNanoseconds(elapsedMs: number): string {
  return `${Math.round((performance.timeOrigin + elapsedMs) * 1_000)}000`;
}

function toAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
    }));
}

function prepareSend({ url, headers, serviceName }: TracingSettings) {
  const resource = { attributes: toAttributes({ 'service.name': serviceName }) };
  return async (spans: object[]): Promise<void> => {
    const scopeSpans = [{ scope: { name: 'postern' }, spans }];
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] });
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
    } catch (cause) {
      const reason = cause instanceof Error && cause.cause ? messageOf(cause.cause) : messageOf(cause);
      const remedy = 'otel.exporter.otlp.endpoint must name a collector that takes OTLP over HTTP';
      throw new Error(`Traces cannot be sent to ${url} (${reason}): ${remedy}`, { cause });
    }
  };
}
