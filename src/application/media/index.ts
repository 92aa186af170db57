import type { Ports } from '../../domain/ports/index.ts';
import { createMediaImport } from './create-media-import.ts';
import { mediaLookups } from './lookups.ts';

export const mediaUses = (ports: Ports) => ({
  ...mediaLookups(ports),
  createMediaImport: createMediaImport(ports),
});
