import { itemsUpdate } from '@swath/contract/operations/items.ts'
import type { LifecycleState } from '@swath/contract/shapes/item.ts'
import { handler } from '../../engine/handler.ts'
import { validationProblem, type Fault } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { collectionIn } from '../collections/access.ts'
import { keepProjectOpen } from '../projects/access.ts'
import { requireRoom } from '../uploads/reservation.ts'
import { missingItem, requireItem } from './access.ts'
import { announceItem } from './announce.ts'
import { numberIn, readPlace, readProperties, readTime, refuseFaults } from './description.ts'
import { itemOf } from './item.ts'
import { checkMetadata, largestOf } from './metadata-limit.ts'
import { stateAt } from './retention.ts'
import { extensionsOf } from './stac-extensions.ts'
import { reservedOf, stacProperties } from './stac-feature.ts'
import { sourceAfterChange } from './stac-source.ts'
import { lockItems, updateItem } from './store.life.ts'

/** States that callers may set; the platform sets the others. */
const settable: ReadonlySet<LifecycleState> = new Set(['active', 'archived'])

export const changeItem = handler(itemsUpdate, async (call, input) => {
  const { item_id: _, ...changes } = input
  const found = await requireItem(call, input.item_id, 'write')
  const faults: Fault[] = []
  const placed = input.geometry !== undefined || input.bbox !== undefined
  const datetime = readTime(input.datetime, 'datetime', faults)
  const given = input.properties === undefined ? undefined : readProperties(input.properties ?? {}, faults)
  if (input.lifecycle_state && !settable.has(input.lifecycle_state)) {
    faults.push({ path: 'lifecycle_state', message: 'can only be set to active or archived' })
  }
  refuseFaults(faults)

  return call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, found.project_id)
    const [before] = await lockItems(tx, call.organization, [found.id])
    if (!before || before.deleted_at !== null) throw missingItem(found.id)
    const collection_id = input.collection_id === undefined ? before.collection_id : input.collection_id
    if (collection_id !== null && collection_id !== before.collection_id) {
      await collectionIn(tx, call.organization, collection_id, before.project_id, true)
    }
    const kept = before.stac_source?.geometry ?? before.geometry
    const geometry = input.geometry === undefined ? kept : input.geometry
    const place = placed ? readPlace(geometry, input.bbox ?? null, faults) : undefined
    refuseFaults(faults)

    const now = call.clock.now()
    const properties = given ? { ...given, ...reservedOf(before.properties) } : before.properties
    const archived_at = archivedAt(input.lifecycle_state, before.archived_at, now)
    const after = {
      ...before,
      collection_id,
      name: input.name ?? before.name,
      description: input.description === undefined ? before.description : input.description,
      datetime: input.datetime === undefined ? before.datetime : datetime,
      cloud_cover: numberOf(input, 'cloud_cover', 'eo:cloud_cover', before.cloud_cover, [0, 100]),
      gsd: numberOf(input, 'gsd', 'gsd', before.gsd, [0, Infinity]),
      properties,
      stac_source: sourceAfterChange(before.stac_source, place?.geometry),
      archived_at,
      lifecycle_state: stateAt({ ...before, archived_at }, now),
      updated_at: now,
    }
    const row = await updateItem(tx, call.organization, before.id, {
      ...after,
      ...(place ? { place } : {}),
      stac_extensions: extensionsOf(before.stac_extensions, stacProperties(after), before.stac_assets ?? {}),
    })
    if (row.empty) throw validationProblem([{ path: 'geometry', message: 'covers no area' }])
    const { properties: said, description } = row
    checkMetadata(call, before.metadata_bytes, row.metadata_bytes, largestOf({ properties: said, description }))
    if (row.metadata_bytes > before.metadata_bytes || placed) await requireRoom(tx, call.organization)
    await announceItem(tx, call, 'item.updated', row, { changed: Object.keys(changes).toSorted() })
    const { empty: __, metadata_bytes: ___, ...item } = row
    return itemOf(item)
  })
})

const archivedAt = (
  asked: LifecycleState | null | undefined,
  before: Date | null,
  now: OrganizationTime,
): Date | null => (asked === 'archived' ? (before ?? now) : asked === 'active' ? null : before)

type Given = { readonly properties?: Readonly<Record<string, unknown>> | null } & {
  readonly [name in 'cloud_cover' | 'gsd']?: number | null
}

/** The new value of a column: from the input, else from its properties, else unchanged. */
function numberOf(
  input: Given,
  column: 'cloud_cover' | 'gsd',
  property: string,
  before: number | null,
  bounds: [number, number],
): number | null {
  const given = input[column]
  if (given !== undefined) return given
  return (input.properties && numberIn(input.properties, property, bounds)) ?? before
}
