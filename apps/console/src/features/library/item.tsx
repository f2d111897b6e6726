import { Copy, Eye, Trash2 } from 'lucide-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useImage } from '../../api/use-image.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { useFitOnce } from '../../map/fit-geometries.ts'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatPercent } from '../../ui/format.ts'
import { Identifier } from '../../ui/identifier.tsx'
import { previewPath } from '../../ui/preview-path.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen, Section } from '../../ui/screen.tsx'
import { ItemFiles } from './item-files.tsx'
import { titleOf } from './item-row.tsx'
import styles from './library.module.css'
import type { LibraryItem } from './library-search.ts'
import { Lineage } from './lineage.tsx'
import { ShareLinks } from './share-links.tsx'

const ignore = (): void => undefined
const keepView = ({ v }: { v?: string }) => (v ? { v } : {})

/** One item: its picture, files, origin and share links. */
export function ItemDetail() {
  const { itemId } = useParams({ strict: false }) as { itemId: string }
  const query = useOperation('items.get', { item_id: itemId })
  return (
    <Screen
      title={query.data ? titleOf(query.data.item) : texts.library.title}
      back={{ to: '/library', search: keepView }}
      actions={<CopyCall operation="items.get" input={{ item_id: itemId }} />}
    >
      <QueryView query={query} rows={6}>
        {({ item }) => <ItemContent item={item} />}
      </QueryView>
    </Screen>
  )
}

function ItemContent({ item }: { item: LibraryItem }) {
  const navigate = useNavigate()
  const { url } = useImage(previewPath(item.id, 512))
  const [dialog, setDialog] = useState(false)
  const [isRemoved, setRemoved] = useState(false)
  const remove = useCommand('items.delete', ['items.search_org', 'collections.list'])
  const restore = useCommand('items.restore', ['items.get', 'items.search_org', 'collections.list'])
  const duplicate = useCommand('items.duplicate', ['items.search_org', 'collections.list'])
  const footprints = toFootprints(item)
  useFitOnce(item.id, footprints)
  const words = texts.library.item
  if (isRemoved)
    return (
      <Section title={words.removed}>
        <Button
          isPending={restore.isPending}
          onClick={() => restore.mutate({ item_id: item.id }, { onSuccess: () => setRemoved(false) })}
        >
          {words.undo}
        </Button>
        {restore.isError && <ProblemNote error={restore.error} />}
      </Section>
    )
  return (
    <>
      {url && <img className={styles['picture']} src={url} alt={titleOf(item)} />}
      <Section title={words.details}>
        <div className={styles['row']}>
          <Button
            kind="primary"
            icon={Eye}
            onClick={() => void navigate({ to: '/view', search: ({ v }) => ({ ...(v ? { v } : {}), items: item.id }) })}
          >
            {words.open}
          </Button>
          <Button icon={Copy} isPending={duplicate.isPending} onClick={() => duplicate.mutate({ item_id: item.id })}>
            {words.duplicate}
          </Button>
          <Button kind="danger" icon={Trash2} onClick={() => setDialog(true)}>
            {words.remove}
          </Button>
        </div>
        {duplicate.isError && <ProblemNote error={duplicate.error} />}
        <Rename key={item.name} item={item} />
        <Facts
          facts={[
            [words.type, texts.library.types[item.type]],
            [words.taken, item.datetime && <Time key="taken" at={item.datetime} />],
            [words.cloud, item.cloud_cover !== null && formatPercent(item.cloud_cover)],
            [words.resolution, item.gsd !== null && texts.explore.gsd(item.gsd)],
            [words.expires, item.expires_at && <Time key="expires" at={item.expires_at} />],
            [words.id, <Identifier key="id" id={item.id} />],
          ]}
        />
      </Section>
      <ItemFiles itemId={item.id} />
      <ShareLinks itemId={item.id} />
      <Lineage itemId={item.id} />
      <FootprintLayer
        id="item"
        footprints={footprints}
        hovered={null}
        selected={null}
        onHover={ignore}
        onSelect={ignore}
      />
      {dialog && (
        <Dialog
          title={words.removeTitle}
          onClose={() => setDialog(false)}
          actions={
            <>
              <Button onClick={() => setDialog(false)}>{words.keep}</Button>
              <Button
                kind="danger"
                isPending={remove.isPending}
                onClick={() =>
                  remove.mutate(
                    { item_id: item.id },
                    {
                      onSuccess: () => {
                        setDialog(false)
                        setRemoved(true)
                      },
                    },
                  )
                }
              >
                {words.remove}
              </Button>
            </>
          }
        >
          <p>{words.removeText}</p>
          {remove.isError && <ProblemNote error={remove.error} />}
        </Dialog>
      )}
    </>
  )
}

const toFootprints = ({ id, geometry }: LibraryItem): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: geometry
    ? [{ type: 'Feature', properties: { id }, geometry: geometry as unknown as GeoJSON.Geometry }]
    : [],
})

function Rename({ item }: { item: LibraryItem }) {
  const update = useCommand('items.update', ['items.get', 'items.search_org'])
  const [name, setName] = useState(item.name)
  return (
    <form
      className={styles['row']}
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({ item_id: item.id, name: name.trim() })
      }}
    >
      <TextField label={texts.library.name} value={name} onChange={setName} required />
      {name !== item.name && (
        <Button type="submit" isPending={update.isPending}>
          {texts.library.item.save}
        </Button>
      )}
      {update.isError && <ProblemNote error={update.error} />}
    </form>
  )
}
