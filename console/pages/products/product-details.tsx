import type { Product } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Code } from '../../parts/json.tsx';
import { Facts, Panel } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Tags } from '../../parts/tags.tsx';
import { Time } from '../../parts/time.tsx';
import { sizeText } from './catalogue-file.ts';
import { Variants } from './variants.tsx';

interface ProductProps {
  readonly product: Product;
}

const ProductFacts = ({ product }: ProductProps) => (
  <Panel title="Product">
    <Facts
      facts={[
        ['Id', <Id key="i" value={product.id} />],
        ['Slug', product.slug === null ? <span className="mute">none</span> : <code key="s">{product.slug}</code>],
        ['Kind', product.kind],
        ['Category', product.category?.name ?? <span className="mute">none</span>],
        ['Tax class', product.taxClass?.name ?? <span className="mute">none</span>],
        ['Tags', <Tags key="t" tags={product.tags} none="none" />],
        [
          'Published',
          product.publishedAt === null ? <span className="mute">no</span> : <Time key="p" at={product.publishedAt} />,
        ],
        ['Created', <Time key="c" at={product.createdAt} />],
        ...(product.updatedAt === null ? [] : [['Changed', <Time key="u" at={product.updatedAt} />] as const]),
      ]}
    />
  </Panel>
);

const Texts = ({ product: { description, metaTitle, metaDescription, options, specifications } }: ProductProps) => (
  <Panel title="Text and options">
    <div className="stack gap">
      <Facts
        facts={[
          ['Meta title', metaTitle ?? <span className="mute">none</span>],
          ['Meta description', metaDescription ?? <span className="mute">none</span>],
          ...options.map(
            ({ id, name, values }) => [name, <Tags key={id} tags={values.map(({ value }) => value)} none="none" />] as const,
          ),
          ...specifications.map(({ name, value }) => [name, value] as const),
        ]}
      />
      {description !== null && description !== '' && (
        <details>
          <summary>Description</summary>
          <div className="after">
            <Code text={description} what="the description" />
          </div>
        </details>
      )}
    </div>
  </Panel>
);

const Media = ({ product: { media } }: ProductProps) => (
  <Panel title="Media" isFlush>
    {media.length === 0 ? (
      <Empty title="No media">An app adds images with a media import.</Empty>
    ) : (
      <Table
        label="Media"
        rows={media}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Position', kind: 'num', cell: ({ position }) => position },
          {
            name: 'Image',
            cell: ({ url, altText }) => (
              <>
                <a href={url} target="_blank" rel="noreferrer" className="clip" title={url}>
                  {url}
                </a>
                <span className="clip mute">{altText ?? 'no alternative text'}</span>
              </>
            ),
          },
          { name: 'Type', kind: 'tight', cell: ({ contentType }) => contentType },
          { name: 'Size', kind: 'num', cell: ({ sizeBytes }) => sizeText(sizeBytes) },
        ]}
      />
    )}
  </Panel>
);

/** The fields of a product as a reader looks for them. The rest is in its JSON. */
export const ProductDetails = ({ product }: ProductProps) => (
  <>
    <div className="columns short">
      <ProductFacts product={product} />
      <Texts product={product} />
    </div>
    <Variants product={product} />
    <Media product={product} />
  </>
);
