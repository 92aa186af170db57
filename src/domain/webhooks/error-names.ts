import type { DeliveryError } from './delivery.ts';

/** Display names of failed attempts, and of deliveries that ended without one. */
export const ERROR_NAMES: Readonly<Record<DeliveryError, string>> = {
  name_not_resolved: 'Host not found',
  name_lookups_busy: 'Too many host names at once',
  address_not_allowed: 'Address not allowed',
  connection_failed: 'Connection failed',
  connect_timeout: 'Connection timed out',
  tls_failed: 'TLS failed',
  certificate_expired: 'Certificate expired',
  certificate_not_yet_valid: 'Certificate not yet valid',
  certificate_of_another_name: 'Certificate of another name',
  certificate_untrusted: 'Certificate of an unknown authority',
  timeout: 'Timed out',
  connection_closed: 'Connection closed',
  invalid_response: 'Invalid response',
  proxy_failed: 'Proxy failed',
  http_3xx: 'Redirected',
  http_4xx: 'Refused by the receiver (4xx)',
  http_5xx: 'Error in the receiver (5xx)',
  expired: 'Waited for too long',
  deactivated: 'Subscription deactivated',
  dropped: 'Dropped',
};
