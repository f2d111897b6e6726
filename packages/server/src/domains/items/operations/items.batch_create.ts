import { itemsBatchCreateOperation } from '@swath/contract/operations/items.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireCollectionInProject } from '../../collections/access.ts'
import { listCollectionsOfProject } from '../../collections/store.ts'
import { lockOpenProject, requireProject } from '../../projects/access.ts'
import { requireStorageWithinQuota } from '../../uploads/reservation.ts'
import { addItems, stacIdTaken, findLargestMetadataMember, type ItemToAdd } from '../add-item.ts'
import { createGeometryBudget } from '../geometry.ts'
import { toHandmadeLineage } from '../handmade-lineage.ts'
import { createMetadataTooLargeProblem } from '../metadata-limit.ts'
import { toBatchItemRefusal, type BatchItemRefusal } from '../refusal.ts'
import { createInternalHrefCheck } from '../stac/import/refused-hrefs.ts'
import {
  recordSourceCollection,
  parseStacItem,
  type ParsedStacItem,
  type ParseStacItemOptions,
} from '../stac/import/parse-stac-item.ts'
import { stacCollectionIdOf } from '../stac/project-collection.ts'

/** One Feature of the batch. */
interface BatchRow {
  readonly stac_id: string | null
  readonly item: ItemToAdd | null
  refusal: BatchItemRefusal | null
}

export const handler = defineHandler(itemsBatchCreateOperation, async (call, input) => {
  const { project_id, collection_id = null, type } = input
  await requireProject(call, project_id, 'write')
  const rows: BatchRow[] = []

  await call.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    if (collection_id !== null)
      await requireCollectionInProject(tx, {
        organization: call.organization,
        id: collection_id,
        project_id,
        lock: true,
      })
    const projectCollections = await listCollectionsOfProject(tx, call.organization, project_id)
    const collections = new Set(projectCollections.map(({ id }) => id))
    const collectionFor = ({ collection }: ParsedStacItem): string | null =>
      collection_id ??
      (collection !== null && collections.has(collection.toLowerCase()) ? collection.toLowerCase() : null)
    const shared = { isInternalUrl: createInternalHrefCheck(call), budget: createGeometryBudget() }
    const lineage = toHandmadeLineage(call)
    for (const feature of input.features)
      rows.push(
        toBatchRow(feature, shared, (parsed) => ({ project_id, collection_id: collectionFor(parsed), type, lineage })),
      )
    await insertRows(tx, call, rows)
    await requireStorageWithinQuota(tx, call.organization)
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

function toBatchRow(
  feature: Record<string, unknown>,
  options: ParseStacItemOptions,
  locate: (parsed: ParsedStacItem) => Pick<ItemToAdd, 'project_id' | 'collection_id' | 'type' | 'lineage'>,
): BatchRow {
  const errors: FieldError[] = []
  const parsed = parseStacItem(feature, errors, options)
  const stac_id = typeof feature['id'] === 'string' ? feature['id'] : null
  if (!parsed || errors.length > 0)
    return { stac_id, item: null, refusal: toBatchItemRefusal(validationProblem(errors)) }
  const location = locate(parsed)
  const { collection: _, assets, ...itemFields } = recordSourceCollection(parsed, stacCollectionIdOf(location))
  const item = {
    ...itemFields,
    ...location,
    id: newId(),
    assets: assets.map((asset) => ({ ...asset, id: newId() })),
  }
  return { stac_id: parsed.stac_id, item, refusal: null }
}

/** Inserts the valid rows and sets the refusal of those that the database rejected. */
async function insertRows(
  tx: Parameters<Parameters<Call['transaction']>[0]>[0],
  call: Call,
  rows: readonly BatchRow[],
): Promise<void> {
  const validRows = rows.filter((row): row is BatchRow & { item: ItemToAdd } => row.item !== null)
  const outcomes = await addItems(
    tx,
    call,
    validRows.map((row) => row.item),
  )
  validRows.forEach((row, index) => {
    const outcome = outcomes[index]
    if (outcome === 'taken') {
      row.refusal = toBatchItemRefusal(stacIdTaken(row.stac_id))
    } else if (outcome === 'collapsed') {
      row.refusal = toBatchItemRefusal(validationProblem([{ path: 'geometry', message: 'covers no area' }]))
    } else if (outcome === 'too-large') {
      row.refusal = toBatchItemRefusal(createMetadataTooLargeProblem(call, findLargestMetadataMember(row.item)))
    }
  })
}
