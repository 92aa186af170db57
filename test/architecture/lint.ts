import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { root } from './source.ts';

/** A text, and the place from which `npm run lint` would read it. */
export interface Plant {
  readonly path: string;
  readonly text: string;
}

interface Report {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly help?: string;
    readonly filename: string;
  }[];
}

const CONFIGURATION = ['.oxlintrc.json', 'package.json', 'tsconfig.json'];

/** Lints each of these texts, and returns `rule: message` in their order. */
export const lint = async (plants: readonly Plant[]): Promise<string[][]> => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-lint-'));
  try {
    for (const name of CONFIGURATION) copyFileSync(join(root, name), join(folder, name));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const paths = plants.map(({ path, text }, n) => {
      const planted = join(dirname(path), `planted-${String(n)}.${path.endsWith('x') ? 'tsx' : 'ts'}`);
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, planted), text);
      return planted;
    });
    const oxlint = join(root, 'node_modules/.bin/oxlint');
    // Findings make the linter exit with 1, as they must here.
    const { stdout } = await promisify(execFile)(oxlint, ['--format=json', ...paths], { cwd: folder, maxBuffer: 2 ** 24 }).catch(
      (error: unknown) => error as { stdout: string },
    );
    const { diagnostics } = JSON.parse(stdout) as Report;
    return paths.map((path) =>
      diagnostics
        .filter(({ filename }) => filename.endsWith(path))
        .map(({ code, message, help = '' }) => `${code}: ${message} ${help}`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
