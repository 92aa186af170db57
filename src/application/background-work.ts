import type { BatchJob, RepeatedJob, PurgeRows } from '../domain/background-work.ts';
import type { Ports } from '../domain/ports/index.ts';
import { catalogueJobs, cataloguePurges } from './catalogue/jobs.ts';
import { idempotencyPurges } from './idempotency/jobs.ts';
import { identityJobs, identityPurges } from './identity/jobs.ts';
import { insightJobs, insightPurges, type InsightJobSettings, type InsightPurgeSettings } from './insight/jobs.ts';
import type { FreeingOptions } from './media/free-media-files.ts';
import { mediaJobs, mediaPurges, type MediaPurgeSettings } from './media/jobs.ts';
import { webhookJobs, webhookPurges, type WebhookJobSettings, type WebhookPurgeSettings } from './webhooks/jobs.ts';

type JobSettings = InsightJobSettings & FreeingOptions & WebhookJobSettings;
type PurgeSettings = InsightPurgeSettings & MediaPurgeSettings & WebhookPurgeSettings;

export const jobsOf = (ports: Ports, settings: JobSettings): readonly (RepeatedJob | BatchJob)[] => [
  ...webhookJobs(ports, settings),
  ...identityJobs(ports),
  ...mediaJobs(ports, settings),
  ...catalogueJobs(ports),
  ...insightJobs(ports, settings),
];

export const purgesOf = (ports: Ports, settings: PurgeSettings): readonly PurgeRows[] => [
  ...idempotencyPurges(ports),
  ...identityPurges(ports),
  ...webhookPurges(ports, settings),
  ...mediaPurges(ports, settings),
  ...cataloguePurges(ports),
  ...insightPurges(ports, settings),
];
