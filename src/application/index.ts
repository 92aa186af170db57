import type { Ports } from '../domain/ports/index.ts';

/** The use cases, by name. Each file of this folder is one; this is their table of contents. */
export const createApplication = (ports: Ports) => ({
  ports,
});

export type Application = ReturnType<typeof createApplication>;
