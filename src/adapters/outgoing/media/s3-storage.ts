import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

import type { MediaStorage } from '../../../domain/ports/media/media-storage.ts';
import { retry, type RetryPolicy } from '../../../domain/retry.ts';
import { pause } from '../../startup/deadline.ts';
import { unlessUnavailable } from './unavailable.ts';

export interface S3Options {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** For tests. 60 by default. */
  readonly requestSeconds?: number;
}

const ATTEMPTS = 3;
const CONNECT_MS = 5_000;
/** A connection without a byte in either direction for this time is closed. */
const IDLE_MS = 30_000;
const CONNECTIONS = 256;
/** The file of a key never changes. */
const CACHING = 'public, max-age=31536000, immutable';

/** Every failure is reported as an error here. The SDK would also write it to the console. */
const nothing = (): void => undefined;
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * The error of a missing file. A missing bucket is NoSuchBucket, except for a HEAD, whose response
 * has no body to say so.
 */
const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');

/** A fault of the caller: another try would end the same. */
const isRefusal = (error: unknown): boolean => {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
};

const RETRIES: RetryPolicy = {
  tries: ATTEMPTS,
  pause: (failed) => pause(200 * 2 ** failed),
  mayPass: (error) => !isRefusal(error),
};

const nullIfMissing = async <T>(asked: Promise<T>): Promise<T | null> => {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const openClient = ({ endpoint, region, requestSeconds = 60 }: S3Options): S3Client =>
  new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    logger: SILENT,
    // Amazon's service accepts checksums at the end of a stream, and many others refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      requestTimeout: requestSeconds * 1_000,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });

/**
 * A bucket of a service that speaks S3: `<bucket>/<key>`. Credentials come from the chain of the
 * SDK: the environment, a profile, the role of the machine.
 */
export const createS3Storage = (options: S3Options): MediaStorage => {
  const client = openClient(options);
  const Bucket = options.bucket;
  const reporting = <T>(work: () => Promise<T>): Promise<T> =>
    unlessUnavailable(`the media bucket ${Bucket} of ${options.endpoint}`, work);

  const putOnce = async (key: string, path: string, size: number, contentType: string): Promise<void> => {
    const body = createReadStream(path);
    const broken = new AbortController();
    // The SDK pipes the stream and does not notice when it ends early.
    body.once('error', (error) => {
      broken.abort(error);
    });
    const command = new PutObjectCommand({
      Bucket,
      Key: key,
      Body: body,
      ContentLength: size,
      ContentType: contentType,
      CacheControl: CACHING,
    });
    try {
      await client.send(command, { abortSignal: broken.signal });
    } finally {
      body.destroy();
    }
  };
  /** The SDK sends a stream once only, since it cannot read it again. */
  const put = async (key: string, path: string, contentType: string): Promise<void> => {
    const { size } = await stat(path);
    await retry(() => putOnce(key, path, size, contentType), RETRIES);
  };

  return {
    put: (key, path, contentType) => reporting(() => put(key, path, contentType)),
    size: (key) =>
      reporting(
        async () => (await nullIfMissing(client.send(new HeadObjectCommand({ Bucket, Key: key }))))?.ContentLength ?? null,
      ),
    read: (key, range) =>
      reporting(async () => {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const found = await nullIfMissing(client.send(new GetObjectCommand({ Bucket, Key: key, Range })));
        if (found === null) return null;
        const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
        return { sizeBytes: Number(whole ?? found.ContentLength), bytes: found.Body as Readable };
      }),
    remove: (key) =>
      reporting(async () => {
        await nullIfMissing(client.send(new DeleteObjectCommand({ Bucket, Key: key })));
      }),
    close: () => {
      client.destroy();
      return Promise.resolve();
    },
  };
};
