interface Deletable {
  readonly isDeleted: boolean;
}

/** Without what is deleted. */
export const live = <E extends Deletable>(elements: readonly E[]): E[] => elements.filter(({ isDeleted }) => !isDeleted);
