import { createDocuments } from '../../http/openapi/documents.ts';
import type { Limits } from '../../http/kit/limits.ts';
import type { ParsedConfig } from '../settings/config.ts';

/** Bytes of a JSON body of the app API but for a bulk update. */
export const MAX_JSON_BYTES = 1_048_576;

const limitsOf = (config: ParsedConfig): Limits => ({
  bulkProducts: config.BULK_MAX_PRODUCTS,
  idempotencyKeySeconds: config.IDEMPOTENCY_TTL_SECONDS,
  secretOverlapSeconds: config.SECRET_OVERLAP_SECONDS,
  accessTokenSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
  searchMs: config.SEARCH_TIMEOUT_MS,
  logDays: config.WEBHOOK_LOG_DAYS,
  jsonBodyBytes: MAX_JSON_BYTES,
});

export const documentsOf = (config: ParsedConfig): ReturnType<typeof createDocuments> => createDocuments(limitsOf(config));

/**
 * An OpenAPI document as JSON, made at the first request: it takes as long as a tenth of a start,
 * and most processes are never asked.
 */
export const documentText = (config: ParsedConfig, listener: 'app' | 'admin'): (() => string) => {
  let text: string | undefined;
  return () => (text ??= JSON.stringify(documentsOf(config)[listener]));
};
