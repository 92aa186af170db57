import type { Ports } from '../domain/ports/index.ts';
import { createRunIdempotently } from './run-idempotently.ts';
import { createUpdateProducts } from './update-products.ts';

/** The settings that use cases need; sizes in bytes, times in seconds. */
export interface ApplicationSettings {
  readonly idempotencyMaxResponseBytes: number;
  readonly bulkMaxProducts: number;
}

/** The use cases, by name. Each file of this folder is one; this is their table of contents. */
export const createApplication = (ports: Ports, settings: ApplicationSettings) => ({
  runIdempotently: createRunIdempotently(ports, settings.idempotencyMaxResponseBytes),
  updateProducts: createUpdateProducts(ports, settings.bulkMaxProducts),
});

export type Application = ReturnType<typeof createApplication>;
