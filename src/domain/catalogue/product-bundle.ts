import { completeElements } from './element.ts';
import { BUNDLE_COMPONENT, BUNDLE_VARIANT } from './fields/part-fields.ts';
import type { BundleComponent, BundleVariant, GivenElement } from './product.ts';
import type { Completion } from './write-context.ts';

type GivenComponent = GivenElement<'bundleComponents'>;
type GivenVariant = NonNullable<GivenComponent['allowedVariants']>[number];

export const completeBundleComponents = (completion: Completion): BundleComponent[] =>
  completeElements<BundleComponent, GivenComponent>(
    completion,
    completion.document.bundleComponents,
    completion.current?.bundleComponents ?? [],
    {
      record: BUNDLE_COMPONENT,
      field: 'bundleComponents',
      key: ({ componentProductId }) => componentProductId,
      rules: {
        productId: () => completion.productId,
        allowedVariants: ({ allowedVariants }, { id, field, before }) =>
          completeElements<BundleVariant, GivenVariant>(completion, allowedVariants, before?.allowedVariants ?? [], {
            record: BUNDLE_VARIANT,
            field: `${field}.allowedVariants`,
            key: ({ productVariantId }) => productVariantId,
            rules: { productBundleComponentId: () => id },
          }),
      },
    },
  );
