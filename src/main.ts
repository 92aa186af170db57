import { runTenon } from './adapters/cli/run.ts';

process.exitCode = await runTenon(process.argv.slice(2), process);
