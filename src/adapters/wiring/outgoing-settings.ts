import { z } from 'zod';

import { parseMediaStorage } from '../media/location.ts';
import { parseCidrs } from '../node/address-resolver.ts';
import { baseUrl, inDevelopment, integer, readBy, secondsList, setting, url } from './setting-kinds.ts';

const cidrs = readBy(parseCidrs, 'must be ranges such as 127.0.0.0/8, separated by commas');
const LOOPBACK = inDevelopment('127.0.0.0/8,::1/128', '');
const LIST = { emptyIsValue: true };

/** The settings of what Tenon sends and fetches: webhooks and media. */
export const outgoingSettings = {
  WEBHOOK_ALLOWED_CIDRS: setting(
    cidrs,
    LOOPBACK,
    'Private address ranges that webhooks may reach, also by http. Empty: none, as in production.',
    LIST,
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    secondsList,
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    'The waits before each attempt of a delivery.',
  ),
  WEBHOOK_RETRY_JITTER: setting(
    z
      .string()
      .regex(/^0(\.\d+)?$|^1(\.0+)?$/, 'must be between 0 and 1')
      .transform(Number),
    '0.2',
    'How far each of these waits may stray: 0.2 is 20 % up or down.',
  ),
  WEBHOOK_TIMEOUT_SECONDS: setting(integer(1, 300), '15', 'The whole time of an attempt, its response included.'),
  WEBHOOK_MAX_IN_FLIGHT: setting(integer(1, 1_000), '4', 'Attempts in flight to one subscription at most.'),
  WEBHOOK_LOG_DAYS: setting(integer(1, 3_650), '30', 'How long events, and deliveries that have ended, are kept.'),
  WEBHOOK_PROXY: setting(
    url('http:').optional(),
    undefined,
    'An HTTP proxy through which every delivery and every fetch of media goes out (CONNECT); it then resolves the names.',
  ),
  MEDIA_STORAGE: setting(
    readBy(parseMediaStorage, 'must be a directory or http(s)://endpoint/bucket'),
    (of) => `${of('DATA_DIR')}/media`,
    'Where media files are kept: a directory, or an S3 endpoint and bucket (https://endpoint/bucket).',
  ),
  MEDIA_ALLOWED_CIDRS: setting(
    cidrs,
    LOOPBACK,
    'Private address ranges that media may be fetched from, also by http. Empty: none, as in production.',
    LIST,
  ),
  MEDIA_URL: setting(
    baseUrl,
    (of) => `http://localhost:${of('PORT')}/media`,
    'The public address of media files: of this service, or of a CDN or proxy in front of it.',
  ),
  MEDIA_TIMEOUT_SECONDS: setting(
    integer(1, 600),
    '60',
    "The whole time of one image's import, to its last pixel; 10 seconds without a byte end it as well.",
  ),
  AWS_REGION: setting(
    z.string().regex(/^[a-z0-9-]+$/, 'must be the name of a region'),
    'us-east-1',
    "The bucket's region. The credentials are found as the AWS SDK finds them, for example in AWS_ACCESS_KEY_ID.",
  ),
} as const;
