/** Access of what concerns everybody: the owner's alone. */
export const OWNERS = { needs: 'owner', stores: 'all' } as const;
