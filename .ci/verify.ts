import { execFileSync, spawnSync } from 'node:child_process';

/**
 * `npm run verify [-- <commit>]`: the check, the rules of the repository, and the tests that the changes since that commit touch, the
 * uncommitted ones included. By default the commit is where this branch left main.
 */
const git = (...args: readonly string[]): string[] => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** A clone of one branch has main only as the remote's. */
const main = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main')[0];
const base = process.argv[2] ?? (main === undefined ? undefined : git('merge-base', 'HEAD', main)[0]) ?? 'HEAD';
const changed = [...git('diff', '--name-only', '--diff-filter=d', base), ...git('ls-files', '--others', '--exclude-standard')];
const code = changed.filter((path) => /\.(ts|tsx|mjs)$/.test(path));

/** Nearly all of these reach nearly all code, by way of the whole server. Only those that changed themselves run here. */
const THROUGH_THE_SERVER = /^test\/(http|e2e)\//;

const vitest = (...args: readonly string[]): void => {
  const { status } = spawnSync('vitest', [...args, '--passWithNoTests'], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
};

if (spawnSync('npm', ['run', '--silent', 'check'], { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
if (changed.length > 0) vitest('run', '--project=rules');
if (code.length > 0) {
  vitest('related', '--run', '--project=unit', '--project=services', '--exclude=test/{http,e2e}/**', ...code);
}
const tests = code.filter((path) => THROUGH_THE_SERVER.test(path) && path.endsWith('.test.ts'));
// No test imports the schema and the migrations. These compare them with the statements.
if (changed.some((path) => path.startsWith('prisma/'))) tests.push('test/architecture/statements.test.ts');
// This test causes every event type, through the server.
if (changed.some((path) => path.startsWith('src/domain/events/'))) tests.push('test/http/event-schemas.test.ts');
if (tests.length > 0) vitest('run', '--project=services', ...tests);
