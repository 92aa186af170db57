import { Gauge, type Registry } from 'prom-client';

/** Builds of one version of Tenon may differ in the generation. */
export interface Build {
  readonly version: string;
  readonly generation: number;
}

export const registerBuildInfo = (registry: Registry, build: Build): void => {
  new Gauge({
    name: 'tenon_build_info',
    help: 'Always 1; the version and the generation of Tenon are labels. nodejs_version_info has that of Node.js.',
    labelNames: ['version', 'generation'] as const,
    registers: [registry],
  }).set({ ...build }, 1);
};
