import { Clock3, Copy, Eye, FlaskConical, Pencil, Trash2 } from 'lucide-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { nameItem } from '../../../api/name-item.ts'
import { useImage } from '../../../api/use-image.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { useFitOnce } from '../../../map/fit-geometries.ts'
import { FootprintLayer } from '../../../map/footprint-layer.tsx'
import { ItemLayer } from '../../../map/item-layer.tsx'
import { keepView } from '../../../map/keep-view.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { previewPath } from '../../../api/preview-path.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { Calls } from '../../../ui/calls/calls.tsx'
import { OpenInQgis } from '../../../qgis/open-in-qgis.tsx'
import { toFootprints } from '../list/found-item.ts'
import { useDeleteItems } from '../list/use-delete-items.ts'
import { ShareLinks } from '../../../share-links/share-links.tsx'
import { BasePictureButton } from '../base-picture-button.tsx'
import { EditItem } from './edit-item.tsx'
import { ItemFacts } from './item-facts.tsx'
import { ItemFiles } from './item-files.tsx'
import type { LibraryItem } from './library-item.ts'
import { Lineage } from './lineage.tsx'
import { remainingRetention } from './retention.ts'
import layout from '../../../ui/layout.module.css'

const ignore = (): void => undefined
const words = libraryTexts.item

const titleOf = ({ name, properties }: LibraryItem): string => nameItem({ ...properties, title: name }) ?? name

/** One item: its picture, facts, files, origin and share links. */
export function ItemDetail() {
  const { itemId } = useParams({ strict: false }) as { itemId: string }
  return <ItemScreen key={itemId} itemId={itemId} />
}

function ItemScreen({ itemId }: { itemId: string }) {
  const [isRemoved, setRemoved] = useState(false)
  const query = useOperation('items.get', { item_id: itemId }, { enabled: !isRemoved })
  return (
    <Screen
      title={query.data ? titleOf(query.data.item) : libraryTexts.title}
      back={{ to: '/library', search: backToPlace(query.data?.item) }}
      actions={<CopyCall operation="items.get" input={{ item_id: itemId }} />}
    >
      {isRemoved ? (
        <RemovedItem itemId={itemId} onRestored={() => setRemoved(false)} />
      ) : (
        <QueryView query={query} rows={6}>
          {({ item }) => <ItemContent key={item.id} item={item} onRemoved={() => setRemoved(true)} />}
        </QueryView>
      )}
    </Screen>
  )
}

/** Back to the project that the item is in. */
const backToPlace =
  (item: LibraryItem | undefined) =>
  ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...(item ? { project: item.project_id } : {}) })

function RemovedItem({ itemId, onRestored }: { itemId: string; onRestored: () => void }) {
  const { restore } = useDeleteItems()
  return (
    <Section title={words.removed} actions={<CopyCall operation="items.restore" input={{ item_id: itemId }} />}>
      <div className={layout['fields']}>
        <Button
          kind="primary"
          isPending={restore.isPending}
          onClick={() => restore.mutate([itemId], { onSuccess: onRestored })}
        >
          {words.undo}
        </Button>
      </div>
      {restore.isError && <ProblemNote error={restore.error} />}
    </Section>
  )
}

function ItemContent({ item, onRemoved }: { item: LibraryItem; onRemoved: () => void }) {
  const { url } = useImage(previewPath(item.id, 512))
  const [isEditing, setEditing] = useState(false)
  const footprints = useMemo(
    () => toFootprints([{ id: item.id, geometry: item.geometry as GeoJSON.Geometry | null }]),
    [item],
  )
  useFitOnce(item.id, footprints)
  return (
    <>
      {url && <img className={layout['picture']} src={url} alt={titleOf(item)} />}
      <Section title={words.details}>
        <RetentionBadge expires_at={item.expires_at} />
        <ItemActions item={item} isEditing={isEditing} onEdit={() => setEditing(!isEditing)} onRemoved={onRemoved} />
        {isEditing ? <EditItem item={item} onEnd={() => setEditing(false)} /> : <ItemFacts item={item} />}
      </Section>
      <ItemFiles itemId={item.id} />
      {isRaster(item) && (
        <OpenInQgis name={titleOf(item)} readItems={async () => [{ id: item.id, name: titleOf(item) }]} />
      )}
      <ShareLinks target={{ target_type: 'item', target_id: item.id }} />
      <Lineage itemId={item.id} />
      <FootprintLayer
        id="item"
        footprints={footprints}
        hovered={null}
        selected={null}
        onHover={ignore}
        onSelect={ignore}
        isFilled={!isRaster(item)}
      />
      <ItemPicture item={item} below="item-fill" />
    </>
  )
}

function RetentionBadge({ expires_at }: { expires_at: string | null }) {
  const retention = remainingRetention(expires_at, Date.now())
  if (!retention) return null
  const { days, isSoon } = retention
  const { over, today, days: inDays } = words.retention
  return (
    <div>
      <Badge icon={Clock3} tone={isSoon ? 'warning' : 'neutral'}>
        {days < 0 ? over : days === 0 ? today : inDays(days)}
      </Badge>
    </div>
  )
}

interface ItemActionsProps {
  readonly item: LibraryItem
  readonly isEditing: boolean
  readonly onEdit: () => void
  readonly onRemoved: () => void
}

function ItemActions({ item, isEditing, onEdit, onRemoved }: ItemActionsProps) {
  const navigate = useNavigate()
  const { id } = item
  const { remove } = useDeleteItems()
  const duplicate = useCommand('items.duplicate', ['stac.search', 'items.list', 'collections.list'])
  const refusal = remove.data?.reason
  return (
    <>
      <div className={layout['fields']}>
        <Button
          kind="primary"
          icon={Eye}
          onClick={() => void navigate({ to: '/view', search: ({ v }) => ({ ...(v ? { v } : {}), items: id }) })}
        >
          {words.open}
        </Button>
        {isRaster(item) && (
          <Button
            icon={FlaskConical}
            onClick={() =>
              void navigate({
                to: '/analyse',
                search: (({ v }: { v?: string }) => ({ ...(v ? { v } : {}), items: id })) as never,
              })
            }
          >
            {words.analyse}
          </Button>
        )}
        {isRaster(item) && <BasePictureButton id={id} title={titleOf(item)} readItems={() => Promise.resolve([id])} />}
        <Button icon={Pencil} aria-pressed={isEditing} onClick={onEdit}>
          {words.edit}
        </Button>
        <Button icon={Copy} isPending={duplicate.isPending} onClick={() => duplicate.mutate({ item_id: id })}>
          {words.duplicate}
        </Button>
        <Button
          kind="danger"
          icon={Trash2}
          isPending={remove.isPending}
          onClick={() => remove.mutate([id], { onSuccess: ({ ids }) => ids.length > 0 && onRemoved() })}
        >
          {words.remove}
        </Button>
      </div>
      {duplicate.data && (
        <p role="status">
          {words.duplicated}{' '}
          <Link to="/library/items/$itemId" params={{ itemId: duplicate.data.id }} search={keepView}>
            {words.openCopy}
          </Link>
        </p>
      )}
      {refusal && <p role="alert">{refusal}</p>}
      {[duplicate, remove].map(({ error }, index) => error && <ProblemNote key={index} error={error} />)}
      <Calls
        calls={[
          [words.duplicate, 'items.duplicate', { item_id: id }],
          [words.remove, 'items.delete', { item_id: id }],
        ]}
      />
    </>
  )
}

const rasterTypes: readonly LibraryItem['type'][] = ['satellite_capture', 'derived_raster', 'clip', 'user_raster']

/** True if the platform renders the item as an image. */
const isRaster = ({ type }: LibraryItem): boolean => rasterTypes.includes(type)

/** The image of an item on the map; nothing for one without pixels. */
const ItemPicture = ({ item, below }: { item: LibraryItem; below: string }) =>
  isRaster(item) ? <ItemLayer id="item-picture" itemId={item.id} below={below} /> : null
