import { itemsUpdateOperation } from '@swath/contract/operations/items.ts'
import type { LifecycleState } from '@swath/contract/schemas/item.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import { replaceUniqueViolation } from '../../../platform/database/unique-violation.ts'
import { requireCollectionInProject } from '../../collections/access.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { requireStorageWithinQuota } from '../../uploads/reservation.ts'
import { itemNotFound, requireItem } from '../access.ts'
import { stacIdTaken } from '../add-item.ts'
import { emitItemEvent } from '../item-events.ts'
import {
  readNumberProperty,
  parseItemGeometry,
  parseItemProperties,
  parseItemTime,
  throwIfFieldErrors,
} from '../item-input.ts'
import { toItem } from '../item.ts'
import { requireMetadataWithinLimit, findLargestMetadataEntry } from '../metadata-limit.ts'
import { computeLifecycleState } from '../retention/retention.ts'
import { resolveStacExtensions } from '../stac/stac-extensions.ts'
import { pickReservedProperties, toStacProperties } from '../stac/stac-feature.ts'
import { applyGeometryToStacSource } from '../stac/stac-source.ts'
import { lockItems, updateItem } from '../store.item-lifecycle.ts'

/** States that callers may set; the platform sets the others. */
const settableStates: ReadonlySet<LifecycleState> = new Set(['active', 'archived'])

export const handler = defineHandler(itemsUpdateOperation, async (call, input) => {
  const { item_id: _, ...changes } = input
  const readableItem = await requireItem(call, input.item_id, 'write')
  const errors: FieldError[] = []
  const changesGeometry = input.geometry !== undefined || input.bbox !== undefined
  const datetime = parseItemTime(input.datetime, 'datetime', errors)
  const requested = input.properties === undefined ? undefined : parseItemProperties(input.properties ?? {}, errors)
  if (input.lifecycle_state && !settableStates.has(input.lifecycle_state)) {
    errors.push({ path: 'lifecycle_state', message: 'can only be set to active or archived' })
  }
  throwIfFieldErrors(errors)

  const updated = call.transaction(async (tx) => {
    await lockOpenProject(tx, call, readableItem.project_id)
    const [before] = await lockItems(tx, call.organization, [readableItem.id])
    if (!before || before.deleted_at !== null) throw itemNotFound(readableItem.id)
    const collection_id = input.collection_id === undefined ? before.collection_id : input.collection_id
    if (collection_id !== null && collection_id !== before.collection_id) {
      const { organization } = call
      const { project_id } = before
      await requireCollectionInProject(tx, { organization, id: collection_id, project_id, lock: true })
    }
    const currentGeometry = before.stac_source?.geometry ?? before.geometry
    const geometry = input.geometry === undefined ? currentGeometry : input.geometry
    const newGeometry = changesGeometry ? parseItemGeometry(geometry, input.bbox ?? null, errors) : undefined
    throwIfFieldErrors(errors)

    const now = call.clock.now()
    const properties = requested ? { ...requested, ...pickReservedProperties(before.properties) } : before.properties
    const archived_at = nextArchivedAt(input.lifecycle_state, before.archived_at, now)
    const after = {
      ...before,
      collection_id,
      name: input.name ?? before.name,
      description: input.description === undefined ? before.description : input.description,
      datetime: input.datetime === undefined ? before.datetime : datetime,
      cloud_cover: nextNumber(input, 'cloud_cover', before.cloud_cover),
      gsd: nextNumber(input, 'gsd', before.gsd),
      properties,
      stac_source: applyGeometryToStacSource(before.stac_source, newGeometry?.geometry),
      archived_at,
      lifecycle_state: computeLifecycleState({ ...before, archived_at }, now),
      updated_at: now,
    }
    const row = await updateItem(tx, call.organization, before.id, {
      ...after,
      ...(newGeometry ? { itemGeometry: newGeometry } : {}),
      stac_extensions: resolveStacExtensions(before.stac_extensions, toStacProperties(after), before.stac_assets ?? {}),
    })
    if (row.empty) throw validationProblem([{ path: 'geometry', message: 'covers no area' }])
    const isLarger = row.metadata_bytes > before.metadata_bytes
    const largest = findLargestMetadataEntry({ properties: row.properties, description: row.description })
    requireMetadataWithinLimit(call, before.metadata_bytes, row.metadata_bytes, largest)
    if (isLarger || changesGeometry) await requireStorageWithinQuota(tx, call.organization)
    const extraData = { changed: Object.keys(changes).toSorted() }
    await emitItemEvent(tx, call, { kind: 'item.updated', item: row, extraData })
    const { empty: __, metadata_bytes: ___, ...item } = row
    return toItem(item)
  })
  return replaceUniqueViolation(updated, () => stacIdTaken(readableItem.stac_id))
})

const nextArchivedAt = (
  requestedState: LifecycleState | null | undefined,
  before: Date | null,
  now: OrganizationTime,
): Date | null => (requestedState === 'archived' ? (before ?? now) : requestedState === 'active' ? null : before)

type NumberInput = { readonly properties?: Readonly<Record<string, unknown>> | null } & {
  readonly [name in 'cloud_cover' | 'gsd']?: number | null
}

/** The new value of a column: from the input, else from its properties, else unchanged. */
/** The STAC property that sets a number column, and its bounds. */
const numberColumns = {
  cloud_cover: { property: 'eo:cloud_cover', bounds: [0, 100] },
  gsd: { property: 'gsd', bounds: [0, Infinity] },
} as const

function nextNumber(input: NumberInput, column: keyof typeof numberColumns, before: number | null): number | null {
  const requested = input[column]
  if (requested !== undefined) return requested
  const { property, bounds } = numberColumns[column]
  return (input.properties && readNumberProperty(input.properties, property, bounds)) ?? before
}
