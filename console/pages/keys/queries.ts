import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import { ApiError } from '../../api/problem.ts';
import type { KeyLife } from '../../api/types.ts';

/** A key is read again this often: its request ends, and replays are counted about a second after them. */
const EVERY_MS = 2_000;

export const isNoSuchKey = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export const keyQuery = (appId: string, key: string) =>
  queryOptions({
    queryKey: ['key', appId, key],
    queryFn: ({ signal }) => api.get<KeyLife>(paths.key(appId, key), {}, signal),
    refetchInterval: ({ state }) => (isNoSuchKey(state.error) ? false : EVERY_MS),
  });
