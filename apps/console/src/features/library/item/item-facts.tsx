import { Link } from '@tanstack/react-router'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { exploreTexts } from '../../../texts/explore.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Area, Time } from '../../../ui/figures.tsx'
import { formatPercent } from '../../../ui/format.ts'
import { Identifier } from '../../../ui/identifier.tsx'
import type { LibraryItem } from './library-item.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = libraryTexts.item

/** The description, properties and place of an item. */
export function ItemFacts({ item }: { item: LibraryItem }) {
  const properties = Object.entries(item.properties).filter(([name]) => name !== 'place')
  const takenAt = item.datetime ?? item.start_datetime
  return (
    <>
      {item.description && <p>{item.description}</p>}
      <Facts
        facts={[
          [libraryTexts.name, item.name],
          [words.type, libraryTexts.types[item.type]],
          [libraryTexts.project, <ProjectName key="project" item={item} />],
          [libraryTexts.collection, item.collection_id && <CollectionName key="collection" item={item} />],
          [words.taken, takenAt ? <Time key="taken" at={takenAt} /> : libraryTexts.unknownTime],
          [words.area, isArea(item.geometry) && <Area key="area" km2={geometryArea_km2(item.geometry)} />],
          [words.cloud, item.cloud_cover !== null && formatPercent(item.cloud_cover)],
          [words.resolution, item.gsd !== null && exploreTexts.gsd(item.gsd)],
          [words.added, <Time key="added" at={item.created_at} />],
          [words.expires, item.expires_at && <Time key="expires" at={item.expires_at} />],
          [words.id, <Identifier key="id" id={item.id} />],
        ]}
      />
      {properties.length > 0 && (
        <details>
          <summary className={`${layout['fit']} ${typography['small']}`}>{words.properties}</summary>
          <Facts facts={properties.map(([name, value]) => [name, showValue(value)])} />
        </details>
      )}
    </>
  )
}

const isArea = (geometry: LibraryItem['geometry'] | AreaGeometry): geometry is AreaGeometry =>
  geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon'

const showValue = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const toPlace =
  (place: { readonly project: string; readonly collection?: string }) =>
  ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...place })

function ProjectName({ item: { project_id } }: { item: LibraryItem }) {
  const { data } = useOperation('projects.get', { project_id })
  return (
    <Link to="/library" search={toPlace({ project: project_id })}>
      {data?.project.name ?? '…'}
    </Link>
  )
}

function CollectionName({ item: { project_id, collection_id } }: { item: LibraryItem }) {
  const { data } = useOperation('collections.get', { project_id, collection_id: collection_id! })
  return (
    <Link to="/library" search={toPlace({ project: project_id, collection: collection_id! })}>
      {data?.collection.name ?? '…'}
    </Link>
  )
}
