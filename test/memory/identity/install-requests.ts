import {
  INSTALL_REQUEST_SECONDS,
  MAX_INSTALL_REQUESTS,
  type InstallRequest,
} from '../../../src/domain/identity/install-request.ts';
import { grantedScopes, type Installation } from '../../../src/domain/identity/installation.ts';
import { manifestScopes } from '../../../src/domain/identity/platform-app.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { InstallRequests } from '../../../src/domain/ports/identity/install-requests.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { addEventAddress } from './event-addresses.ts';
import { installationsOf, platformAppsOf, statusIn } from './identity-tables.ts';

const NOT_ROTATED = { previousClientSecretExpiresAt: null, previousSigningSecretExpiresAt: null };

export const installRequestsOf = (state: MemoryState): Map<string, InstallRequest> =>
  table<InstallRequest>(state, 'install_requests');

export const installRequests = (state: MemoryState, clock: Clock): InstallRequests => {
  const isOpen = ({ expiresAt }: InstallRequest): boolean => Date.parse(expiresAt) > clock.now();
  const open = (storeId: string, id: string): InstallRequest | null => {
    const request = installRequestsOf(state).get(id);
    return request?.storeId === storeId && isOpen(request) ? request : null;
  };
  const take = (storeId: string, id: string): InstallRequest | null => {
    const request = open(storeId, id);
    if (request) installRequestsOf(state).delete(id);
    return request;
  };
  return {
    create: async (request) => {
      const open = [...installRequestsOf(state).values()].filter(
        (row) => row.storeId === request.storeId && row.appId === request.appId && isOpen(row),
      );
      for (const { id } of open.slice(0, -(MAX_INSTALL_REQUESTS - 1))) installRequestsOf(state).delete(id);
      const expiresAt = isoTime(clock.now() + INSTALL_REQUEST_SECONDS * 1_000);
      installRequestsOf(state).set(request.id, { ...request, expiresAt });
      return expiresAt;
    },
    get: async (storeId, id) => open(storeId, id),
    accept: async (storeId, id, { installationId, scopes }) => {
      const request = open(storeId, id);
      if (!request) return null;
      const app = platformAppsOf(state).get(request.appId);
      if (app?.status !== 'Active') return 'not_asked';
      if (!scopes.every((scope) => manifestScopes(app).includes(scope))) return 'not_asked';
      take(storeId, id);
      const present = [...installationsOf(state).values()].find(
        (row) => row.storeId === storeId && row.platformAppId === app.id && row.status !== 'Uninstalled',
      );
      const at = isoTime(clock.now());
      const installation: Installation = present
        ? { ...present, scopes: grantedScopes([...present.scopes, ...scopes]), updatedAt: at }
        : {
            id: installationId,
            storeId,
            name: app.name,
            clientId: app.clientId,
            platformAppId: app.id,
            scopes: grantedScopes(scopes),
            status: 'Installed',
            createdAt: at,
            updatedAt: null,
            uninstalledAt: null,
            ...NOT_ROTATED,
          };
      addEventAddress(state, clock, app, storeId);
      installationsOf(state).set(installation.id, installation);
      return { ...installation, status: statusIn(state, installation) };
    },
    refuse: async (storeId, id) => take(storeId, id) !== null,
    purge: async (limit) => {
      const expired = [...installRequestsOf(state).values()].filter((row) => !isOpen(row)).slice(0, limit);
      for (const { id } of expired) installRequestsOf(state).delete(id);
      return expired.length;
    },
  };
};
