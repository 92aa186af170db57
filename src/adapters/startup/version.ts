import { readFileSync } from 'node:fs';
import { z } from 'zod';

// The path is valid from src/ and from dist/.
const file = new URL('../../../package.json', import.meta.url);

export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;

/** Beginning of the command line's User-Agent. */
export const CLI_AGENT = 'tenon-cli/';
