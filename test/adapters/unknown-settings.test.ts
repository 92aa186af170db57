import { describe, expect, it } from 'vitest';

import { settings } from '../../src/adapters/wiring/settings/settings.ts';
import { OTHER_VARIABLES, unknownSettings } from '../../src/adapters/wiring/settings/unknown-settings.ts';
import { sourceFiles, textOf } from '../architecture/source.ts';

const named = (name: string): string | undefined => unknownSettings({ [name]: 'x' })[0]?.message;

describe('an unknown setting', () => {
  it.each([
    ['RATE_LIMIT_PERSECOND', 'RATE_LIMIT_PER_SECOND'],
    ['WEBHOOK_TIMEOUT', 'WEBHOOK_TIMEOUT_SECONDS'],
    ['MEDIA_STORE', 'MEDIA_STORAGE'],
    ['BULK_MAX_PRODUCT', 'BULK_MAX_PRODUCTS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['TENON_PORT', 'PORT'],
    ['TENON_LOG_LEVEL', 'LOG_LEVEL'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ])('%s is named, with %s', (name, nearest) => {
    expect(named(name)).toMatch(new RegExp(`^${name} is not a setting.* ${nearest}\\.$`));
  });

  it.each(Object.keys(settings))('%s is known, and one letter less is not', (name) => {
    expect(named(name)).toBeUndefined();
    if (name.length > 8) expect(named(name.slice(0, -1))).toContain(`is ${name}.`);
  });

  it('is not one of another program, and not one without a value', () => {
    const others = ['PATH', 'HOME', 'HOSTNAME', 'NODE_OPTIONS', 'AWS_ACCESS_KEY_ID', 'LOG_FORMAT', 'OTEL_EXPORTER_OTLP_TIMEOUT'];
    const services = ['ADMIN_SERVICE_HOST', 'ADMIN_SERVICE_PORT_HTTP', 'ADMIN_PORT_80_TCP_ADDR'];
    expect(unknownSettings(Object.fromEntries([...others, ...services].map((name) => [name, 'x'])))).toEqual([]);
    expect(unknownSettings({ RATE_LIMIT_PERSECOND: ' ', WEBHOOK_X: undefined })).toEqual([]);
  });

  it('is not a variable of the command line or of an app', () => {
    const texts = ['src/adapters/cli', 'clients/typescript/src', 'examples'].flatMap(sourceFiles).map(textOf);
    const used = new Set(texts.flatMap((text) => text.match(/\bTENON_[A-Z_]*[A-Z]\b/g) ?? []));
    expect(used.size).toBeGreaterThan(2);
    for (const name of [...used, ...OTHER_VARIABLES, 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_TRACES_SAMPLER'])
      expect(named(name)).toBeUndefined();
  });
});
