import type { Secret } from '../../parts/secrets.tsx';

export const clientSecret = (value: string): Secret => ({
  name: 'Client secret',
  variable: 'TENON_CLIENT_SECRET',
  value,
  help: 'The app uses it with the client id to get access tokens from POST /apps/token.',
});

export const signingSecret = (value: string): Secret => ({
  name: 'Signing secret',
  variable: 'TENON_SIGNING_SECRET',
  value,
  help: 'The app uses it to verify that a webhook comes from this store.',
});
