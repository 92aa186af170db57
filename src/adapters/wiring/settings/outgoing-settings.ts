import { z } from 'zod';

import { parseMediaStorage } from '../../outgoing/media/location.ts';
import { parseNameServers } from '../../node/names/name-queries.ts';
import { parseCidrs } from '../../node/names/ip-address.ts';
import { baseUrl, inDevelopment, integerSetting, readBy, secondsList, setting, url } from './setting-kinds.ts';

const cidrs = readBy(parseCidrs, 'must be ranges such as 127.0.0.0/8, separated by commas');
const LOOPBACK = inDevelopment('127.0.0.0/8,::1/128', '');
const LIST = { emptyIsValue: true };

export const outgoingSettings = {
  WEBHOOK_ALLOWED_CIDRS: setting(
    cidrs,
    LOOPBACK,
    'Private address ranges that webhooks may reach, also over http. Empty: none, as in production.',
    LIST,
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    secondsList,
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    'Waiting times before the attempts of a delivery.',
  ),
  WEBHOOK_RETRY_JITTER: setting(
    z
      .string()
      .regex(/^0(\.\d+)?$|^1(\.0+)?$/, 'must be between 0 and 1')
      .transform(Number),
    '0.2',
    'Random variation of these waiting times: 0.2 is 20 % up or down.',
  ),
  WEBHOOK_TIMEOUT_SECONDS: setting(integerSetting(1, 300), '15', 'Maximum duration of an attempt, including its response.'),
  WEBHOOK_MAX_IN_FLIGHT: setting(integerSetting(1, 1_000), '4', 'Maximum number of concurrent attempts to one subscription.'),
  WEBHOOK_LOG_DAYS: setting(integerSetting(1, 3_650), '30', 'How long events and ended deliveries are kept, in days.'),
  WEBHOOK_PROXY: setting(
    url('http:').optional(),
    undefined,
    'HTTP proxy (CONNECT) for all deliveries and media downloads. The proxy then resolves host names.',
  ),
  NAME_SERVERS: setting(
    readBy(parseNameServers, 'must be addresses such as 10.0.0.2 or 10.0.0.2:5353, separated by commas').optional(),
    undefined,
    'Name servers for the host names of receivers and images. Default: those of /etc/resolv.conf, with its search domains.',
  ),
  MEDIA_STORAGE: setting(
    readBy(parseMediaStorage, 'must be a directory or http(s)://endpoint/bucket'),
    (of) => `${of('DATA_DIR')}/media`,
    'Storage for media files: a directory, or an S3 endpoint and bucket (https://endpoint/bucket).',
  ),
  MEDIA_ALLOWED_CIDRS: setting(
    cidrs,
    LOOPBACK,
    'Private address ranges that media may be fetched from, also over http. Empty: none, as in production.',
    LIST,
  ),
  MEDIA_URL: setting(
    baseUrl,
    (of) => `http://localhost:${of('PORT')}/media`,
    'Public address of the media files: of this server, or of a CDN or proxy in front of it.',
  ),
  MEDIA_RETRY_SECONDS: setting(
    secondsList,
    '5,30,120,600',
    'Waiting times before an image host that is busy or unreachable is asked again.',
  ),
  MEDIA_TIMEOUT_SECONDS: setting(
    integerSetting(1, 600),
    '60',
    'Maximum duration of the import of one image. 10 seconds without data also end it.',
  ),
  AWS_REGION: setting(
    z.string().regex(/^[a-z0-9-]+$/, 'must be the name of a region'),
    'us-east-1',
    'Region of the bucket. Credentials come from the usual AWS sources, for example AWS_ACCESS_KEY_ID.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    baseUrl.optional(),
    undefined,
    'Collector of OpenTelemetry traces, by OTLP over HTTP (`http://127.0.0.1:4318`). Default: no spans are made.',
  ),
} as const;
