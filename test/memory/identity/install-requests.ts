import { INSTALL_REQUEST_SECONDS, type AskedInstall } from '../../../src/domain/identity/install-request.ts';
import { grantedScopes, type Installation } from '../../../src/domain/identity/installation.ts';
import { manifestScopes } from '../../../src/domain/identity/platform-app.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { DecidedInstall, InstallRequests } from '../../../src/domain/ports/identity/install-requests.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { addEventAddress } from './event-addresses.ts';
import { installationsOf, platformAppsOf, statusIn } from './identity-tables.ts';

const NOT_ROTATED = { previousClientSecretExpiresAt: null, previousSigningSecretExpiresAt: null };

/** A request that was kept, or the mark of one that was decided. */
type Row = AskedInstall & { readonly isDecided?: true };

/** By `storeId/id`. */
export const installRequestsOf = (state: MemoryState): Map<string, Row> => table<Row>(state, 'install_requests');

export const installRequests = (state: MemoryState, clock: Clock): InstallRequests => {
  const isOpen = ({ expiresAt }: Row): boolean => expiresAt > clock.now();
  const rowOf = (storeId: string, id: string): Row | null => {
    const row = installRequestsOf(state).get(`${storeId}/${id}`);
    return row && isOpen(row) ? row : null;
  };
  const useUp = ({ id, storeId, appId, isKept }: DecidedInstall): boolean => {
    const row = rowOf(storeId, id);
    if (row?.isDecided || (isKept && !row)) return false;
    const expiresAt = clock.now() + INSTALL_REQUEST_SECONDS * 1_000;
    const mark = { id, storeId, appId, isKept, scopes: [], redirectUrl: '', state: null, expiresAt, isDecided: true } as const;
    if (isKept) installRequestsOf(state).delete(`${storeId}/${id}`);
    else installRequestsOf(state).set(`${storeId}/${id}`, mark);
    return true;
  };
  return {
    get: async (storeId, id) => {
      const row = rowOf(storeId, id);
      return row?.isDecided ? null : row;
    },
    isDecided: async (storeId, id) => rowOf(storeId, id)?.isDecided === true,
    accept: async (request, { installationId, scopes }) => {
      const { storeId, id } = request;
      if (rowOf(storeId, id)?.isDecided) return null;
      const app = platformAppsOf(state).get(request.appId);
      if (app?.status !== 'Active') return 'not_asked';
      if (!scopes.every((scope) => manifestScopes(app).includes(scope))) return 'not_asked';
      if (!useUp(request)) return null;
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
    refuse: async (request) => useUp(request),
    purge: async (limit) => {
      const expired = [...installRequestsOf(state).values()].filter((row) => !isOpen(row)).slice(0, limit);
      for (const { storeId, id } of expired) installRequestsOf(state).delete(`${storeId}/${id}`);
      return expired.length;
    },
  };
};
