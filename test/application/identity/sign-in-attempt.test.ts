import { describe, expect, it } from 'vitest';

import { beginAttempt, openAttempt } from '../../../src/application/identity/sign-in-attempt.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const open = () => {
  const ports = openMemoryPorts();
  return { ports, begin: beginAttempt(ports), opened: openAttempt(ports) };
};

describe('an attempt to sign in', () => {
  it('is opened by who keeps it, for what it was begun', () => {
    const { begin, opened } = open();
    const { sealed, secret } = begin('passkey_sign_in');
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(sealed).not.toContain(secret);
    expect(opened('passkey_sign_in', sealed)?.secret).toBe(secret);
    expect(opened('provider_sign_in', sealed)).toBeNull();
    expect(opened('passkey_addition', sealed)).toBeNull();
    expect(begin('passkey_sign_in').secret).not.toBe(secret);
  });

  it('has a secret of 64 hex digits, also of bytes below 16', () => {
    const ports = openMemoryPorts();
    const secrets = { ...ports.secrets, randomBytes: (length: number) => Buffer.alloc(length, 7) };
    expect(beginAttempt({ ...ports, secrets })('passkey_sign_in').secret).toBe('07'.repeat(32));
  });

  it('expires after five minutes', () => {
    const { ports, begin, opened } = open();
    const { sealed } = begin('provider_sign_in');
    ports.clock.advance(299_999);
    expect(opened('provider_sign_in', sealed)).not.toBeNull();
    ports.clock.advance(1);
    expect(opened('provider_sign_in', sealed)).toBeNull();
  });

  it('of one operator is not valid for another', () => {
    const { begin, opened } = open();
    const { sealed } = begin('passkey_addition', 'ada');
    expect(opened('passkey_addition', sealed, 'grace')).toBeNull();
    expect(opened('passkey_addition', sealed)).toBeNull();
    expect(opened('passkey_addition', sealed, 'ada')).not.toBeNull();
  });

  it.each(['', 'v1', 'v1.x.y.z.w', 'nothing'])('is not %j', (text) => {
    expect(open().opened('passkey_sign_in', text)).toBeNull();
  });
});
