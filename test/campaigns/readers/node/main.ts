import { serve } from '../../../support/serve.ts';
import { withBug } from './bugs.ts';

// A Tenon of the campaign's, with the bug that PLANT names. The product holds no line of it.

const { PLANT = '' } = process.env;
await serve((ports) => withBug(ports, PLANT));
