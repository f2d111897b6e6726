import { itemsBatchCreate } from '@swath/contract/operations/items.life.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { Problem, validationProblem, type Fault } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { collectionIn } from '../collections/access.ts'
import { listCollections } from '../collections/store.ts'
import { keepProjectOpen, requireProject } from '../projects/access.ts'
import { requireRoom } from '../uploads/reservation.ts'
import { addItems, largestPart, type AddedItem } from './add-item.ts'
import { tooMuchMetadata } from './metadata-limit.ts'
import { refusalOf, type Refusal } from './refusal.ts'
import { keepCollection, readFeature, type ReadFeature } from './stac-in/read-feature.ts'

/** One Feature of the batch. */
interface Row {
  readonly stac_id: string | null
  readonly item: AddedItem | null
  refusal: Refusal | null
}

export const createItems = handler(itemsBatchCreate, async (call, input) => {
  const { project_id, collection_id = null, type } = input
  await requireProject(call, project_id, 'write')
  const rows: Row[] = []

  await call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, project_id)
    if (collection_id !== null) await collectionIn(tx, call.organization, collection_id, project_id, true)
    const own = await listCollections(tx, call.organization, project_id)
    const collections = new Set(own.map(({ id }) => id))
    const home = ({ collection }: ReadFeature): string | null =>
      collection_id ??
      (collection !== null && collections.has(collection.toLowerCase()) ? collection.toLowerCase() : null)
    for (const feature of input.features)
      rows.push(rowOf(feature, (read) => ({ project_id, collection_id: home(read), type })))
    await write(tx, call, rows)
    await requireRoom(tx, call.organization)
  })

  const results = rows.map(({ stac_id, item, refusal }, index) => ({
    index,
    stac_id,
    item_id: refusal === null && item ? item.id : null,
    refusal,
  }))
  const refused = results.filter((result) => result.refusal !== null).length
  return { created: results.length - refused, refused, results }
})

function rowOf(
  feature: Record<string, unknown>,
  placeOf: (read: ReadFeature) => Pick<AddedItem, 'project_id' | 'collection_id' | 'type'>,
): Row {
  const faults: Fault[] = []
  const read = readFeature(feature, faults)
  const stac_id = typeof feature['id'] === 'string' ? feature['id'] : null
  if (!read || faults.length > 0) return { stac_id, item: null, refusal: refusalOf(validationProblem(faults)) }
  const place = placeOf(read)
  const { collection: _, assets, ...described } = keepCollection(read, place.collection_id)
  const item = {
    ...described,
    ...place,
    id: newId(),
    assets: assets.map((asset) => ({ ...asset, id: newId() })),
  }
  return { stac_id: read.stac_id, item, refusal: null }
}

/** Inserts the valid rows and sets the refusal of those that the database rejected. */
async function write(
  tx: Parameters<Parameters<Call['transaction']>[0]>[0],
  call: Call,
  rows: readonly Row[],
): Promise<void> {
  const ready = rows.filter((row): row is Row & { item: AddedItem } => row.item !== null)
  const outcomes = await addItems(
    tx,
    call,
    ready.map((row) => row.item),
  )
  ready.forEach((row, index) => {
    const outcome = outcomes[index]
    if (outcome === 'taken') {
      row.refusal = refusalOf(
        new Problem('stac-id-taken', `Another item of the organization has the stac_id "${row.stac_id}".`),
      )
    } else if (outcome === 'collapsed') {
      row.refusal = refusalOf(validationProblem([{ path: 'geometry', message: 'covers no area' }]))
    } else if (outcome === 'too-large') {
      row.refusal = refusalOf(tooMuchMetadata(call, largestPart(row.item)))
    }
  })
}
