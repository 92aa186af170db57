import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mediaKey } from '../../../domain/media/media-file.ts';
import { MediaStorageFailure, openMediaStorage } from '../../outgoing/media/media-storage.ts';
import { withDeadline } from '../../startup/deadline.ts';
import { openRedis } from '../../redis/connection.ts';
import type { Config } from '../settings/config.ts';
import { reasonOf } from '../../startup/start-failure.ts';
import type { StorageEngine } from '../../storage/storage-engine.ts';
import { failed, fine, skipped, type UnnamedFinding } from '../../storage/finding.ts';

const TIMEOUT_MS = 5_000;

const factsOf = (info: string) => {
  const fact = (name: string): string => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? 'unknown';
  return {
    version: fact('redis_version'),
    policy: fact('maxmemory_policy'),
    isReplica: fact('role') !== 'master',
    isFull: Number(fact('maxmemory')) > 0 && Number(fact('used_memory')) >= Number(fact('maxmemory')),
  };
};

const judgeRedis = (info: string): UnnamedFinding => {
  const { version, policy, isReplica, isFull } = factsOf(info);
  if (isReplica)
    return failed(
      `Redis ${version} is a replica and takes no jobs`,
      'Set REDIS_URL to the primary. Deliveries wait for a sweep.',
    );
  if (policy !== 'noeviction') {
    return failed(
      `Redis ${version} evicts keys (maxmemory-policy ${policy})`,
      'Set maxmemory-policy to noeviction: jobs of the queue are keys.',
    );
  }
  if (isFull)
    return failed(`the memory of Redis ${version} is full: it takes no jobs`, 'Raise maxmemory. Deliveries wait for a sweep.');
  return fine(`Redis ${version}`);
};

/** Redis must answer, take jobs, and not throw them away when its memory is full. */
export const checkRedis = async ({ REDIS_URL }: Config, { name, promises }: StorageEngine): Promise<UnnamedFinding> => {
  const keepsQueue = promises.has('job_queue');
  if (REDIS_URL === undefined) return skipped(`REDIS_URL is not set${keepsQueue ? `: the queue is in ${name}` : ''}`);
  const redis = openRedis(REDIS_URL, TIMEOUT_MS, { lazyConnect: true, retryStrategy: null });
  // The call only says that the connection was closed.
  let reason: unknown;
  redis.on('error', (error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    return judgeRedis(await redis.info());
  } catch (error) {
    return failed(
      `Redis cannot be reached: ${reasonOf(reason ?? error)}`,
      `Start Redis, or correct the address or the password in REDIS_URL.${keepsQueue ? ` Without REDIS_URL, the queue is in ${name}.` : ''}`,
    );
  } finally {
    redis.disconnect();
  }
};

const CONTENT = 'tenon doctor';

export const checkMedia = async ({ MEDIA_STORAGE, AWS_REGION }: Config, mayCreate: boolean): Promise<UnnamedFinding> => {
  const where = 'directory' in MEDIA_STORAGE ? MEDIA_STORAGE.directory : `the bucket ${MEDIA_STORAGE.bucket}`;
  const folder = await mkdtemp(join(tmpdir(), 'tenon-doctor-'));
  const key = mediaKey({ storeId: randomUUID(), sha256: createHash('sha256').update(CONTENT).digest('hex'), extension: 'png' });
  try {
    const storage = await openMediaStorage(MEDIA_STORAGE, AWS_REGION, { mayCreate });
    try {
      const path = join(folder, 'doctor');
      await writeFile(path, CONTENT);
      await storage.put(key, path, 'image/png');
      const file = await storage.read(key);
      const chunks: Uint8Array[] = [];
      for await (const chunk of file?.bytes ?? []) chunks.push(chunk);
      await storage.remove(key);
      if (Buffer.concat(chunks).toString() !== CONTENT)
        return failed(`${where} does not return what was stored`, 'Check the storage.');
      return fine(`${where} stores, reads and removes a file`);
    } finally {
      await storage.close();
    }
  } catch (error) {
    if (error instanceof MediaStorageFailure) return failed(error.fact, error.remedy);
    return failed(`${where}: ${reasonOf(error)}`, 'Check MEDIA_STORAGE, the rights of its user and its free space.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const checkOutgoingProxy = async ({ WEBHOOK_PROXY }: Config): Promise<UnnamedFinding> => {
  if (WEBHOOK_PROXY === undefined) return skipped('WEBHOOK_PROXY is not set: deliveries go out directly');
  const { hostname, port } = new URL(WEBHOOK_PROXY);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || '80') });
  try {
    await withDeadline(TIMEOUT_MS, undefined, (signal) => once(socket, 'connect', { signal }));
    return fine(`the proxy on ${hostname} accepts connections`);
  } catch (error) {
    return failed(
      `the proxy on ${hostname} cannot be reached: ${reasonOf(error)}`,
      'Start it, or change WEBHOOK_PROXY. No delivery goes out without it.',
    );
  } finally {
    socket.destroy();
  }
};
