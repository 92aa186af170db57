import type { Ports } from '../../domain/ports/index.ts';
import { deleteEntry } from './delete-entry.ts';
import { customDataLookups } from './lookups.ts';
import { putDefinition } from './put-definition.ts';
import { putEntry } from './put-entry.ts';

export const customDataUses = (ports: Ports) => ({
  ...customDataLookups(ports),
  deleteEntry: deleteEntry(ports),
  putDefinition: putDefinition(ports),
  putEntry: putEntry(ports),
});
