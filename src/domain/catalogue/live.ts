interface Deletable {
  readonly isDeleted: boolean;
}

export const live = <E extends Deletable>(elements: readonly E[]): E[] => elements.filter(({ isDeleted }) => !isDeleted);
