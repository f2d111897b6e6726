import { Trash2 } from 'lucide-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../../api/platform.tsx'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { Calls } from '../../../ui/calls/calls.tsx'
import { ShareLinks } from '../../../share-links/share-links.tsx'
import { BasePictureButton } from '../base-picture-button.tsx'
import { DescriptionForm } from './description-form.tsx'
import layout from '../../../ui/layout.module.css'

type Collection = OutputOf<'collections.get'>['collection']
type CollectionId = InputOf<'collections.get'>

const words = libraryTexts.settings
const affected = ['collections.list', 'collections.get', 'stac.search', 'items.list'] as const
/** The newest items of a collection that are drawn as a base map. */
const max_pictures = 12
/** A field of colours has no empty state. */
const usualColour = '#808080'

/** The settings of a collection, its share links, and its end. */
export function CollectionSettings() {
  const { projectId, collectionId } = useParams({ strict: false }) as { projectId: string; collectionId: string }
  const input = { project_id: projectId, collection_id: collectionId }
  const [isRemoved, setRemoved] = useState(false)
  const query = useOperation('collections.get', input, { enabled: !isRemoved })
  const place = { project: projectId, ...(isRemoved ? {} : { collection: collectionId }) }
  return (
    <Screen
      title={query.data?.collection.name ?? libraryTexts.collection}
      back={{ to: '/library', search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...place }) }}
      actions={<CopyCall operation="collections.get" input={input} />}
    >
      {isRemoved ? (
        <RemovedCollection input={input} onRestored={() => setRemoved(false)} />
      ) : (
        <QueryView query={query}>
          {({ collection }) => (
            <>
              <CollectionDetails collection={collection} input={input} />
              <ShareLinks target={{ target_type: 'collection', target_id: collection.id }} />
              <CollectionEnd input={input} onRemoved={() => setRemoved(true)} />
            </>
          )}
        </QueryView>
      )}
    </Screen>
  )
}

function RemovedCollection({ input, onRestored }: { input: CollectionId; onRestored: () => void }) {
  const restore = useCommand('collections.restore', affected)
  return (
    <Section title={words.removedCollection} actions={<CopyCall operation="collections.restore" input={input} />}>
      <div className={layout['fields']}>
        <Button
          kind="primary"
          isPending={restore.isPending}
          onClick={() => restore.mutate(input, { onSuccess: onRestored })}
        >
          {libraryTexts.item.undo}
        </Button>
      </div>
      {restore.isError && <ProblemNote error={restore.error} />}
    </Section>
  )
}

function CollectionDetails({ collection, input }: { collection: Collection; input: CollectionId }) {
  const update = useCommand('collections.update', affected)
  const { client } = usePlatform()
  const { name, description, color, item_count } = collection
  const readNewest = async (): Promise<string[]> => {
    const { items } = await client.call('items.list_by_collection', {
      collection_id: collection.id,
      limit: max_pictures,
    })
    return items.map(({ id }) => id)
  }
  return (
    <Section title={words.details}>
      <DescriptionForm
        name={name}
        description={description}
        isPending={update.isPending}
        onSave={(change) => update.mutate({ ...input, ...change })}
      >
        <TextField
          label={words.colour}
          type="color"
          value={color && /^#[0-9a-f]{6}$/i.test(color) ? color : usualColour}
          onChange={(next) => update.mutate({ ...input, color: next })}
        />
      </DescriptionForm>
      {update.isError && <ProblemNote error={update.error} />}
      <p>{libraryTexts.tree.itemCount(item_count)}</p>
      {item_count > 0 && (
        <div className={layout['fields']}>
          <BasePictureButton id={collection.id} title={name} readItems={readNewest} />
        </div>
      )}
      <Calls calls={[[libraryTexts.save, 'collections.update', { ...input, name, description, color }]]} />
    </Section>
  )
}

function CollectionEnd({ input, onRemoved }: { input: CollectionId; onRemoved: () => void }) {
  const remove = useCommand('collections.delete', ['collections.list', 'stac.search', 'items.list'])
  return (
    <Section title={words.removeCollection}>
      <div className={layout['fields']}>
        <Button
          kind="danger"
          icon={Trash2}
          isPending={remove.isPending}
          onClick={() => remove.mutate(input, { onSuccess: onRemoved })}
        >
          {words.removeCollection}
        </Button>
        <CopyCall operation="collections.delete" input={input} />
      </div>
      {remove.isError && <ProblemNote error={remove.error} />}
    </Section>
  )
}
