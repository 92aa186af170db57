import type { z } from 'zod';

import type * as attentions from './attention.ts';
import type * as audits from './audit.ts';
import type * as incidents from './incidents.ts';
import type * as live from './live.ts';
import type * as calls from './calls.ts';
import type * as requests from './refused-requests.ts';
import type * as searches from './search.ts';
import type * as figures from './stats.ts';
import type * as checks from './verify.ts';

export type Attention = z.output<typeof attentions.attention>;
export type AuditedChange = AuditPage['items'][number];
export type AuditPage = z.output<typeof audits.auditPage>;
export type Incident = z.output<typeof incidents.incident>;
export type IncidentPage = z.output<typeof incidents.incidentPage>;
export type LiveFrame = z.output<typeof live.liveFrame>;
export type CallFigures = z.output<typeof calls.callFigures>;
export type RefusedRequest = z.output<typeof requests.refusedRequest>;
export type RefusedRequestGroups = z.output<typeof requests.refusedRequestGroups>;
export type RefusedRequestPage = z.output<typeof requests.refusedRequestPage>;
export type SearchAnswer = z.output<typeof searches.searchAnswer>;
export type Found = SearchAnswer['items'][number];
export type Stats = z.output<typeof figures.stats>;
export type RepairedPage = z.output<typeof checks.repairedPage>;
export type Verification = z.output<typeof checks.verification>;
