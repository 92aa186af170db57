import { demoCatalogue } from '../../src/adapters/demo/catalogue.ts';
import type { SandboxSettings } from '../../src/application/sandbox-uses.ts';

export const NO_SANDBOXES: SandboxSettings = { sandboxDomain: null, demoCatalogue };
