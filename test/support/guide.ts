import { textOf } from '../architecture/source.ts';

/** A piece of code that a page shows, or the output that it promises for the commands before. */
export interface Block {
  readonly kind: 'sh' | 'ts' | 'text';
  readonly text: string;
}

/** The blocks of a page, or of a part of one, in order. */
export const blocksIn = (text: string): Block[] =>
  [...text.matchAll(/^```(sh|ts|text)\n(.*?)^```/gms)].map(([, kind, block = '']) => ({
    kind: kind as Block['kind'],
    text: block,
  }));

export const blocksOf = (page: string): Block[] => blocksIn(textOf(page));

/** The file that the first line of a block of TypeScript names. */
export const fileOf = ({ text }: Block): string | undefined =>
  /^\/\/ (my-app\/[a-z-]+\.ts)$/m.exec(text.split('\n', 1)[0] ?? '')?.[1];

export const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** The lines of a promise, each after the other; `...` is any text, and what differs by the terminal is white space alone. */
export const promised = (text: string): RegExp => {
  const lines = text.trim().split('\n');
  return new RegExp(lines.map((line) => words(line).split('...').map(literal).join('.*?')).join(' (.*? )?'), 'i');
};
