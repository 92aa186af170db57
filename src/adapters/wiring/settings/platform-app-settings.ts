import { domainName, setting, url } from './setting-kinds.ts';

export const platformAppSettings = {
  CONSENT_URL: setting(
    url('https:', 'http:').optional(),
    undefined,
    "Page on which a merchant decides about the installation of a platform app. Default: the console's, on CONSOLE_URL, the first of CONSOLE_HOSTS or ADMIN_HOST.",
  ),
  SANDBOX_DOMAIN: setting(
    domainName.optional(),
    (of) => (of('NODE_ENV') === 'production' ? undefined : 'localhost'),
    'Domain below which the sandbox stores of app developers are, such as `sandbox.example.com`. In production, without it there are none.',
  ),
} as const;
