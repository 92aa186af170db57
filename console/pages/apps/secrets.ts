import type { Secret } from '../../parts/secrets.tsx';

export const clientSecret = (value: string): Secret => ({
  name: 'Client secret',
  variable: 'TENON_CLIENT_SECRET',
  value,
  help: 'With the client id, the app gets its access tokens from POST /apps/token.',
});

export const signingSecret = (value: string): Secret => ({
  name: 'Signing secret',
  variable: 'TENON_SIGNING_SECRET',
  value,
  help: 'By it the app checks that a webhook comes from this store.',
});
