import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { textOf } from './source.ts';

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
}

/** A folder that a service of the compose file has in memory. */
const isInMemory = ({ tmpfs = [] }: Service, folder: string): boolean => tmpfs.some((path) => path.split(':')[0] === folder);

describe('an import keeps its file, which may have any size, on a disk', () => {
  it('deploy/compose.yaml', () => {
    const { services } = parse(textOf('deploy/compose.yaml')) as { services: { tenon: Service } };
    const { tenon } = services;
    const folder = tenon.environment?.['TMPDIR'] ?? '/tmp';
    expect(isInMemory(tenon, folder)).toBe(false);
    expect(tenon.volumes?.map((volume) => volume.split(':')[1])).toContain(folder);
  });

  // Some distributions have /tmp in memory. PrivateTmp gives the service a /var/tmp of its own.
  it('deploy/tenon.service', () => {
    const unit = textOf('deploy/tenon.service');
    expect(unit).toMatch(/^Environment=.*\bTMPDIR=\/var\/tmp\b/m);
    expect(unit).toMatch(/^PrivateTmp=yes$/m);
  });
});
