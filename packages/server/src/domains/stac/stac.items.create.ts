import type { StacItem } from '@swath/contract/shapes/stac.ts'
import { limits } from '@swath/contract/limits.ts'
import { stacItemsCreate } from '@swath/contract/operations/stac.items.ts'
import { handler } from '../../engine/handler.ts'
import { validationProblem, type Fault } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { collectionIn, requireCollection } from '../collections/access.ts'
import { addItem, type AddedItem } from '../items/add-item.ts'
import { featuresOf } from '../items/features.ts'
import { linkBase } from '../items/link-base.ts'
import { readFeature } from '../items/stac-in/read-feature.ts'
import { findStacRows } from '../items/store.ts'
import { keepProjectOpen } from '../projects/access.ts'
import { requireRoom } from '../uploads/reservation.ts'

type Members = Record<string, unknown>

export const createStacItem = handler(stacItemsCreate, async (call, input) => {
  const base = linkBase(call, input.base_url)
  const { id, project_id } = await requireCollection(call, input.collection_id, 'write')
  const given = featuresIn(input.item)
  const items = given.list.map((feature) => ({ ...readNew(feature, given.path(feature), id), project_id }))
  const features = await call.transaction(async (tx): Promise<StacItem[]> => {
    await keepProjectOpen(tx, call, project_id)
    await collectionIn(tx, call.organization, id, project_id, true)
    for (const item of items) await addItem(tx, call, item)
    await requireRoom(tx, call.organization)
    const ids = items.map((item) => item.id)
    return featuresOf(tx, call.organization, await findStacRows(tx, call.organization, ids), base)
  })
  return given.single ? features[0]! : { type: 'FeatureCollection' as const, features }
})

/** The Features of a request body, which are created atomically. */
function featuresIn(body: Members): { list: Members[]; single: boolean; path(feature: Members): string } {
  if (body['type'] !== 'FeatureCollection') return { list: [body], single: true, path: () => 'item' }
  const { features } = body
  const isList = Array.isArray(features) && features.length > 0 && features.length <= limits.batch_items
  if (!isList || !features.every((one) => typeof one === 'object' && one !== null)) {
    throw validationProblem([
      { path: 'item.features', message: `is not a list of 1 to ${limits.batch_items} Features` },
    ])
  }
  const list = features as Members[]
  return { list, single: false, path: (feature) => `item.features.${list.indexOf(feature)}` }
}

function readNew(feature: Members, path: string, collection_id: string): Omit<AddedItem, 'project_id'> {
  const faults: Fault[] = []
  const read = readFeature(feature, faults, { verbatim: true })
  if (read && read.collection !== null && read.collection.toLowerCase() !== collection_id) {
    faults.push({ path: 'collection', message: 'is not the collection in the URL' })
  }
  if (!read || faults.length > 0) {
    throw validationProblem(faults.map((fault) => ({ ...fault, path: `${path}.${fault.path}` })))
  }
  const { collection: _, assets, ...described } = read
  const added = assets.map((asset) => ({ ...asset, id: newId() }))
  return { ...described, id: newId(), collection_id, type: 'external_reference', assets: added }
}
