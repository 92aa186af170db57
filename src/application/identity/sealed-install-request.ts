import { INSTALL_REQUEST_PREFIX, INSTALL_REQUEST_SECONDS, type AskedInstall } from '../../domain/identity/install-request.ts';
import type { Locator } from '../../domain/ports/locator.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { SecretUnopened } from '../../domain/ports/secrets.ts';
import { parseUuid } from '../../domain/values/uuid.ts';

const CONTEXT = 'install request';

/** A redirect URL may be long, and the app has it: its hash says which one. */
type Sealed = Omit<AskedInstall, 'isKept' | 'redirectUrl'> & { readonly redirectHash: string };

type SealPorts = Pick<Ports, 'clock' | 'ids' | 'secrets'>;

/**
 * Seals a request into a text for the address of the merchant's browser. Nothing is written, so
 * nobody fills a table by asking, and no request drives out another.
 */
export const sealInstallRequest = (
  { clock, ids, secrets }: SealPorts,
  { redirectUrl, ...asked }: Pick<AskedInstall, 'storeId' | 'appId' | 'scopes' | 'redirectUrl' | 'state'>,
): string => {
  const expiresAt = clock.now() + INSTALL_REQUEST_SECONDS * 1_000;
  const sealed: Sealed = { ...asked, id: ids.next(), redirectHash: secrets.sha256(redirectUrl), expiresAt };
  return `${INSTALL_REQUEST_PREFIX}${secrets.seal(JSON.stringify(sealed), CONTEXT)}`;
};

/** Returns the request that was sealed, which may have expired. Null for any other text. */
const opened = ({ secrets }: Pick<Ports, 'secrets'>, text: string): Sealed | null => {
  if (!text.startsWith(INSTALL_REQUEST_PREFIX)) return null;
  try {
    return JSON.parse(secrets.open(text.slice(INSTALL_REQUEST_PREFIX.length), CONTEXT)) as Sealed;
  } catch (error) {
    if (error instanceof SecretUnopened) return null;
    throw error;
  }
};

type FindPorts = Pick<Ports, 'clock' | 'installRequests' | 'locator' | 'secrets'>;

export type FoundRequest = Omit<Sealed, 'expiresAt'> & Pick<AskedInstall, 'expiresAt' | 'isKept'>;

/** The request that nobody has decided, and that has not expired. Processes of version 0.1.0 have kept theirs under an id. */
export const findInstallRequest = async (ports: FindPorts, text: string): Promise<FoundRequest | null> => {
  const { clock, installRequests, locator, secrets } = ports;
  const sealed = opened(ports, text);
  if (sealed !== null) {
    const isOver = sealed.expiresAt <= clock.now() || (await installRequests.isDecided(sealed.storeId, sealed.id));
    return isOver ? null : { ...sealed, isKept: false };
  }
  const id = parseUuid(text);
  const storeId = id && (await locator.storeOf('install-request', id));
  const kept = id && storeId && (await installRequests.get(storeId, id));
  if (!kept) return null;
  const { redirectUrl, ...asked } = kept;
  return { ...asked, redirectHash: secrets.sha256(redirectUrl) };
};

/** Finds the store of a request by its text, and of anything else by its id. */
export const locateRequests = ({ locator, secrets }: Pick<Ports, 'locator' | 'secrets'>): Locator => ({
  storeOf: async (kind, id) => {
    if (kind !== 'install-request') return locator.storeOf(kind, id);
    const sealed = opened({ secrets }, id);
    if (sealed !== null) return sealed.storeId;
    const kept = parseUuid(id);
    return kept === null ? null : locator.storeOf(kind, kept);
  },
});
