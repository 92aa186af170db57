/** Two parts that are joined: a mortise and its tenon. */
export const Logo = () => (
  <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
    <path d="M2 5a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v3h-6v4h6v5a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3z" fill="var(--accent)" />
    <path d="M11.5 9.3h8.5v1.4h-8.5z" fill="var(--accent)" opacity=".45" />
  </svg>
);
