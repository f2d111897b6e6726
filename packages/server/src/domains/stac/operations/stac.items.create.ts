import type { StacItem } from '@swath/contract/schemas/stac.ts'
import type { GeometryRepairBudget } from '@swath/geo/repair-cost.ts'
import { limits } from '@swath/contract/limits.ts'
import { stacItemsCreateOperation } from '@swath/contract/operations/stac.items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireCollectionInProject } from '../../collections/access.ts'
import { addItem, type ItemToAdd } from '../../items/add-item.ts'
import { createGeometryBudget } from '../../items/geometry.ts'
import { toHandmadeLineage } from '../../items/handmade-lineage.ts'
import { rowsToStacItems } from '../../items/stac/stac-items.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import type { IsInternalUrl } from '../../../platform/integrations/integrations.ts'
import { createInternalHrefCheck } from '../../items/stac/import/refused-hrefs.ts'
import { parseStacItem } from '../../items/stac/import/parse-stac-item.ts'
import { findStacItemRows } from '../../items/store.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { requireStorageWithinQuota } from '../../uploads/reservation.ts'
import { requireShownCollection } from '../shown-collections.ts'

type JsonObject = Record<string, unknown>

export const handler = defineHandler(stacItemsCreateOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const { id, project_id, collection_id } = await requireShownCollection(call, input.collection_id, 'write')
  const body = readFeatures(input.item)
  const shared = { isInternalUrl: createInternalHrefCheck(call), budget: createGeometryBudget() }
  const items = body.list.map((feature) => ({
    ...parseNewItem(feature, { path: body.path(feature), collection: id, ...shared }),
    project_id,
    collection_id,
  }))
  const features = await call.transaction(async (tx): Promise<StacItem[]> => {
    await lockOpenProject(tx, call, project_id)
    if (collection_id !== null)
      await requireCollectionInProject(tx, {
        organization: call.organization,
        id: collection_id,
        project_id,
        lock: true,
      })
    for (const item of items) await addItem(tx, call, { ...item, lineage: toHandmadeLineage(call) })
    await requireStorageWithinQuota(tx, call.organization)
    const ids = items.map((item) => item.id)
    return rowsToStacItems(tx, call.organization, await findStacItemRows(tx, call.organization, ids), base)
  })
  return body.single ? features[0]! : { type: 'FeatureCollection' as const, features }
})

/** The Features of a request body, which are created atomically. */
function readFeatures(body: JsonObject): { list: JsonObject[]; single: boolean; path(feature: JsonObject): string } {
  if (body['type'] !== 'FeatureCollection') return { list: [body], single: true, path: () => 'item' }
  const { features } = body
  const isList = Array.isArray(features) && features.length > 0 && features.length <= limits.max_batch_items
  if (!isList || !features.every((feature) => typeof feature === 'object' && feature !== null)) {
    throw validationProblem([
      { path: 'item.features', message: `is not a list of 1 to ${limits.max_batch_items} Features` },
    ])
  }
  const list = features as JsonObject[]
  return { list, single: false, path: (feature) => `item.features.${list.indexOf(feature)}` }
}

interface NewItemContext {
  readonly path: string
  /** The id in the URL. */
  readonly collection: string
  readonly isInternalUrl: IsInternalUrl
  readonly budget: GeometryRepairBudget
}

function parseNewItem(
  feature: JsonObject,
  { path, collection, isInternalUrl, budget }: NewItemContext,
): Omit<ItemToAdd, 'project_id' | 'collection_id'> {
  const errors: FieldError[] = []
  const parsed = parseStacItem(feature, errors, { isInternalUrl, verbatim: true, budget })
  if (parsed && parsed.collection !== null && parsed.collection.toLowerCase() !== collection) {
    errors.push({ path: 'collection', message: 'is not the collection in the URL' })
  }
  if (!parsed || errors.length > 0) {
    throw validationProblem(errors.map((error) => ({ ...error, path: `${path}.${error.path}` })))
  }
  const { collection: _, assets, ...itemFields } = parsed
  const added = assets.map((asset) => ({ ...asset, id: newId() }))
  return { ...itemFields, id: newId(), type: 'external_reference', assets: added }
}
