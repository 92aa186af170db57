/** The rules of an Active product, as public texts. They apply to every way of writing one. */
export const ACTIVE_NEEDS_VARIANT = 'An Active product must have a variant.';
export const ACTIVE_NEEDS_SLUG = 'An Active product must have a slug, and none can be derived from its name.';
