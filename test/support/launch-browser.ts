import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Debian's chromium, or another of this family; null where there is none. */
const executable = PLACES.find((place) => place !== '' && existsSync(place)) ?? null;

/** In CI a missing browser fails; elsewhere its tests are skipped. */
export const browserAvailable = (): boolean => {
  if (executable === null && process.env['CI'] === 'true') throw new Error('chromium is missing; .ci/run installs it');
  return executable !== null;
};

/** `--no-sandbox`: chromium as root wants it. The shared memory of containers is small. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
