interface TagsProps {
  readonly tags: readonly string[];
  /** In place of an empty list. */
  readonly none: string;
  /** More are counted. Their names are shown on hover, and read by screen readers. */
  readonly most?: number;
}

export const Tags = ({ tags, none, most = Infinity }: TagsProps) => {
  if (tags.length === 0) return <span className="mute">{none}</span>;
  const rest = tags.slice(most);
  return (
    <span className="tags">
      {tags.slice(0, most).map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
      {rest.length > 0 && (
        <span className="tag" title={rest.join(', ')}>
          +{rest.length}
          <span className="visually-hidden">: {rest.join(', ')}</span>
        </span>
      )}
    </span>
  );
};
