import { completeElements } from './element.ts';
import type { BundleComponent, BundleVariant, Sketch } from './product.ts';
import type { Completion } from './write-context.ts';

type GivenComponent = Sketch<BundleComponent>;

/** The component that its allowed variants belong to. */
interface Owner {
  readonly id: string;
  readonly index: number;
  readonly before: BundleComponent | undefined;
}

const completeAllowed = (completion: Completion, given: GivenComponent['allowedVariants'], component: Owner): BundleVariant[] =>
  completeElements<BundleVariant, Sketch<BundleVariant>>(completion, given, component.before?.allowedVariants ?? [], {
    key: ({ productVariantId }) => productVariantId,
    complete: ({ productVariantId }, _id, index) => ({
      productBundleComponentId: component.id,
      productVariantId: completion.faults.required(
        productVariantId,
        `bundleComponents[${component.index}].allowedVariants[${index}].productVariantId`,
      ),
    }),
  });

export const completeBundleComponents = (completion: Completion): BundleComponent[] =>
  completeElements<BundleComponent, GivenComponent>(
    completion,
    completion.document.bundleComponents,
    completion.current?.bundleComponents ?? [],
    {
      key: ({ componentProductId }) => componentProductId,
      complete: (given, id, index, before) => ({
        componentProductId: completion.faults.required(given.componentProductId, `bundleComponents[${index}].componentProductId`),
        position: given.position ?? index,
        productId: completion.productId,
        allowedVariants: completeAllowed(completion, given.allowedVariants, { id, index, before }),
      }),
    },
  );
