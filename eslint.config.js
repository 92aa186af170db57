import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/**', 'data/**', 'src/generated/**'] },
  {
    files: ['**/*.ts'],
    extends: [js.configs.recommended, tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      complexity: ['error', 12],
      // `!= null` is the one way to ask for both null and undefined.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // A number in a message reads as itself; what must not slip in is an object or a null.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Ports are objects of closures, which are taken apart freely; nothing here reads `this` but a few small classes.
      '@typescript-eslint/unbound-method': 'off',
      // An empty string is often as good as none.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      // `() => void work()` says as much as a block.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 150, skipBlankLines: true, skipComments: true }], 'no-console': 'error' },
  },
  { files: ['src/adapters/cli/**/*.ts', 'src/main.ts'], rules: { 'no-console': 'off' } },
  // Config files are read by tools that want a default export.
  { files: ['*.config.ts', 'test/support/global-setup.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'hostile/**/*.ts', 'faults/**/*.ts'],
    rules: {
      // JSON bodies in assertions are `any` by supertest's types.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  // A fake keeps the promise of its port though it has nothing to wait for.
  { files: ['src/adapters/memory/**/*.ts', 'test/**/*.ts'], rules: { '@typescript-eslint/require-await': 'off' } },
);
