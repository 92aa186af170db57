import { textOf } from '../architecture/source.ts';

/** A piece of code that a page shows, or the output that it promises for the commands before. */
export interface Block {
  readonly kind: 'sh' | 'ts' | 'text';
  readonly text: string;
}

/** The blocks of a page in order. */
export const blocksOf = (page: string): Block[] =>
  [...textOf(page).matchAll(/^```(sh|ts|text)\n(.*?)^```/gms)].map(([, kind, text = '']) => ({
    kind: kind as Block['kind'],
    text,
  }));

/** The file that the first line of a block of TypeScript names. */
export const fileOf = ({ text }: Block): string | undefined =>
  /^\/\/ (my-app\/[a-z-]+\.ts)$/m.exec(text.split('\n', 1)[0] ?? '')?.[1];
