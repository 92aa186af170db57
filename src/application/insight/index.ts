import type { Ports } from '../../domain/ports/index.ts';
import { auditLookups } from './audit-lookups.ts';
import { getAttention } from './get-attention.ts';
import { getCallFigures } from './get-call-figures.ts';
import { getReceiverFigures } from './get-receiver-figures.ts';
import { incidentLookups } from './incident-lookups.ts';
import { insightLookups } from './lookups.ts';
import { search } from './search.ts';
import { repair, verify } from './verify.ts';

export const insightUses = (ports: Ports) => ({
  ...auditLookups(ports),
  ...incidentLookups(ports),
  ...insightLookups(ports),
  getAttention: getAttention(ports),
  getCallFigures: getCallFigures(ports),
  getReceiverFigures: getReceiverFigures(ports),
  repair: repair(ports),
  search: search(ports),
  verify: verify(ports),
});
