/** Where something is about to appear. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div className="stack loading" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} className="skeleton" style={{ width: `${96 - ((line * 17) % 40)}%` }} />
    ))}
  </div>
);
