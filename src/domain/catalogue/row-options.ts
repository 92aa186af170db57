import type { Pairs } from './pair-elements.ts';
import { optionTexts, storedTexts, type OptionText } from './pair-variants.ts';
import type { GivenElement, ProductDocument, ProductOption, Variant, VariantDocument } from './product.ts';

type OptionDocument = GivenElement<'options'>;

export interface MergedOptions {
  readonly options: OptionDocument[] | undefined;
  /** The names of the stored options, as the rows have them. */
  readonly needed: readonly string[];
  readonly valuesOf: (variant: VariantDocument) => VariantDocument['optionValues'];
  readonly textsOf: (variant: VariantDocument) => readonly OptionText[];
  /** With the names of options as the rows have them. */
  readonly storedTextsOf: (variant: Variant) => readonly OptionText[];
}

/** The stored option that each given one replaces: of its name, or else of its place where that has another name now. */
const replacedBy = (given: readonly OptionDocument[], stored: readonly ProductOption[]): Map<OptionDocument, ProductOption> => {
  const byName = new Map(stored.map((option) => [option.name, option]));
  const names = new Set(given.map(({ name }) => name));
  return new Map(
    given.flatMap((option) => {
      const inPlace = stored[(option.position ?? 0) - 1];
      const found = byName.get(option.name) ?? (inPlace && !names.has(inPlace.name) ? inPlace : undefined);
      return found ? [[option, found] as const] : [];
    }),
  );
};

interface Positioned {
  readonly position?: number | undefined;
}

/**
 * The given elements with the positions of the stored ones, where these come in the same order.
 * New ones come behind them.
 */
const inPlace = <E extends Positioned>(given: readonly E[], storedOf: (element: E) => Positioned | undefined): E[] => {
  let last = -1;
  let isNew = false;
  const positions: number[] = [];
  for (const element of given) {
    const stored = storedOf(element)?.position;
    const position = stored ?? Math.max(last + 1, element.position ?? 0);
    if (position <= last || (stored !== undefined && isNew)) return [...given];
    isNew ||= stored === undefined;
    last = position;
    positions.push(position);
  }
  return given.map((element, at) => ({ ...element, position: positions[at] }));
};

/** The options of the rows and those that they do not speak of, which give way to the others. */
const allOptions = (given: readonly OptionDocument[], kept: readonly ProductOption[]): OptionDocument[] => {
  const taken = new Set(given.map(({ position }) => position ?? 0));
  const stayed = kept.map(({ id, name, position: own }) => {
    const position = taken.has(own) ? Math.max(...taken) + 1 : own;
    taken.add(position);
    return { id, name, position };
  });
  return [...given, ...stayed].toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
};

/** The values of the rows, and those of other variants whose row leaves the option blank. */
const allValues = ({ values = [] }: OptionDocument, before: ProductOption, blanks: Iterable<OptionText>) => {
  const said = new Set(values.map(({ value }) => value));
  const more = new Set([...blanks].flatMap(([name, value]) => (name === before.name && !said.has(value) ? [value] : [])));
  const byValue = new Map(before.values.map((value) => [value.value, value]));
  const all = [...values, ...[...more].map((value, at) => ({ value, position: values.length + at + 1 }))];
  return inPlace(all, ({ value }) => byValue.get(value));
};

/** The options of the rows, with what is stored and the rows do not speak of. */
export const mergeOptions = (
  { options: given, variants = [] }: ProductDocument,
  stored: readonly ProductOption[],
  pairs: Pairs<VariantDocument, Variant>,
): MergedOptions => {
  if (!given?.length) {
    const valuesOf = (variant: VariantDocument): VariantDocument['optionValues'] => (given ? [] : variant.optionValues);
    return {
      options: given,
      needed: given ? [] : stored.map(({ name }) => name),
      valuesOf,
      textsOf: () => [],
      storedTextsOf: () => [],
    };
  }
  const replaced = replacedBy(given, stored);
  const kept = stored.filter((option) => ![...replaced.values()].includes(option));
  const nameOf = new Map([...replaced].map(([option, { name }]) => [name, option.name]));
  const known = optionTexts(stored);
  /** The stored texts of the options that a row leaves blank. */
  const blankOf = (variant: VariantDocument): readonly OptionText[] => {
    const before = pairs.of(variant);
    const said = new Set(variant.optionValues?.map(({ option }) => option));
    return before ? storedTexts(before, known).filter(([option]) => !said.has(nameOf.get(option) ?? option)) : [];
  };
  const blanks = new Map(variants.map((variant) => [variant, blankOf(variant)]));
  const merged = given.map((option) => {
    const before = replaced.get(option);
    return before ? { ...option, id: before.id, values: allValues(option, before, [...blanks.values()].flat()) } : option;
  });
  const textsOf = (variant: VariantDocument): OptionText[] => [
    ...(variant.optionValues ?? []).map(({ option = '', value = '' }): OptionText => [option, value]),
    ...(blanks.get(variant) ?? []).map(([option, value]): OptionText => [nameOf.get(option) ?? option, value]),
  ];
  return {
    options: allOptions(
      inPlace(merged, (option) => stored.find(({ id }) => id === option.id)),
      kept,
    ),
    needed: stored.map(({ name }) => nameOf.get(name) ?? name),
    storedTextsOf: (variant) =>
      storedTexts(variant, known).map(([option, value]): OptionText => [nameOf.get(option) ?? option, value]),
    valuesOf: (variant) => textsOf(variant).map(([option, value]) => ({ option, value })),
    textsOf,
  };
};
