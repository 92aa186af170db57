import { ERROR_NAMES } from '../../../src/adapters/http/console/shared.ts';
import type { Attempt, Delivery } from '../../api/types.ts';
import { plural } from '../../parts/plural.ts';

type DeliveryError = NonNullable<Delivery['error']>;

interface ErrorWords {
  readonly name: string;
  /** Beside the status of the response. */
  readonly short?: string;
  readonly help: string;
}

/** Advice for each error, beside the status of the response. */
const HELP: Readonly<Record<DeliveryError, Omit<ErrorWords, 'name'>>> = {
  name_not_resolved: {
    help: 'The host name has no address, or its name servers did not answer. Check the name and its DNS records.',
  },
  name_lookups_busy: {
    help: 'Too many other host names of the same app wait for their name servers. Check its other receivers and the images that it imports.',
  },
  address_not_allowed: {
    help: 'The host resolves to a private address. If that is intended, allow its range with WEBHOOK_ALLOWED_CIDRS.',
  },
  connection_failed: {
    help: 'Nothing is listening at the address, or a firewall is blocking it.',
  },
  connect_timeout: { help: 'The address does not respond. A firewall may be dropping packets.' },
  tls_failed: { help: 'The receiver does not speak TLS 1.2 or later, or its certificate is not valid.' },
  certificate_expired: { help: 'Renew the certificate of the receiver, and make the server load the new one.' },
  certificate_not_yet_valid: { help: 'Check the certificate of the receiver, and the clock of the machine that made it.' },
  certificate_of_another_name: { help: 'The certificate must have the host name of the URL.' },
  certificate_untrusted: {
    help: 'Use a certificate of a public authority, and send it with its intermediate certificates.',
  },
  timeout: {
    help: 'The receiver took too long. Answer 2xx as soon as the event is stored, and process it afterwards.',
  },
  connection_closed: { help: 'The receiver closed the connection before it answered.' },
  invalid_response: { help: 'The response is not HTTP. Check the port of the URL.' },
  proxy_failed: { help: 'The proxy of WEBHOOK_PROXY could not connect.' },
  http_3xx: { short: 'Redirected', help: 'Redirects are not followed. Subscribe with the final URL.' },
  http_4xx: {
    short: 'Refused by the receiver',
    help: 'The receiver refused the request. See its response. A 401 often means that it verifies the signature with an old secret.',
  },
  http_5xx: {
    short: 'Error in the receiver',
    help: 'The receiver failed. See its response and its log.',
  },
  expired: {
    help: 'It could not be sent before its schedule ended. Remove the obstacle, then redeliver it.',
  },
  deactivated: {
    help: 'The subscription was deactivated while the delivery waited. Its page says why. Reactivate it, then redeliver this.',
  },
  dropped: { help: 'The subscription was removed, the app was uninstalled, or it lost the scope.' },
};

/** Meaning of each error, and advice. */
export const ERRORS = Object.fromEntries(
  Object.entries(ERROR_NAMES).map(([error, name]) => [error, { name, ...HELP[error as DeliveryError] }]),
) as Readonly<Record<DeliveryError, ErrorWords>>;

export const errorName = (error: DeliveryError | null): string => (error === null ? '' : ERRORS[error].name);

/** Why an attempt failed; null where it delivered. The class of its status, where a response came. */
export const attemptError = ({ status, error }: Pick<Attempt, 'status' | 'error'>): DeliveryError | null => {
  if (error !== null) return error;
  if (status === null || status >= 500) return 'http_5xx';
  if (status >= 400) return 'http_4xx';
  return status >= 300 ? 'http_3xx' : null;
};

export const deliveriesText = (count: number): string => plural(count, 'delivery', 'deliveries');
