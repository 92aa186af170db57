import { api } from '../../api/client.ts';
import type { MetaobjectDefinition, RemovedDefinition } from '../../api/types.ts';
import { EffectsDialog } from '../../parts/effects-dialog.tsx';
import { plural } from '../../parts/plural.ts';
import { useAction } from '../../parts/use-action.ts';

interface DeleteTypeProps {
  readonly storeId: string;
  readonly definition: MetaobjectDefinition;
  readonly onClose: () => void;
}

/** Says how many entries go with a type before they do. The server deletes nothing where this number is no longer right. */
export const DeleteType = ({ storeId, definition: { type, name, entries, keptEntries }, onClose }: DeleteTypeProps) => {
  const living = entries - keptEntries;
  const remove = useAction({
    act: () =>
      api.delete<RemovedDefinition>(
        `/stores/${storeId}/metaobject-definitions/${encodeURIComponent(type)}?entries=${String(living)}`,
      ),
    said: ({ entries: removed }) => `${name} is deleted, with ${plural(removed, 'entry', 'entries')}.`,
    onDone: onClose,
    changes: ['metaobject-types', 'metaobject-entries'],
  });
  const effects = [
    `${plural(living, 'entry of an app is', 'entries of apps are')} deleted. Each app hears of its own.`,
    ...(keptEntries > 0
      ? [`${plural(keptEntries, 'entry', 'entries')} of uninstalled apps ${keptEntries === 1 ? 'is' : 'are'} deleted.`]
      : []),
    'Apps that write entries of this type get 404.',
  ];
  return (
    <EffectsDialog
      title={`Delete the type ${name}`}
      action="Delete the type"
      isDanger
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      effects={effects}
      onClose={onClose}
    />
  );
};
