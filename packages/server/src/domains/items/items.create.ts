import { itemsCreate } from '@swath/contract/operations/items.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { invariant, Problem, type Fault } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { collectionIn } from '../collections/access.ts'
import { wasMentioned } from '../events/mentions.ts'
import { requireOrder } from '../orders/access.ts'
import { keepProjectOpen, requireProject } from '../projects/access.ts'
import { requireUpload } from '../uploads/access.ts'
import { requireRoom } from '../uploads/reservation.ts'
import { addItem } from './add-item.ts'
import { numberIn, readExtensions, readPlace, readProperties, readTimes, refuseFaults } from './description.ts'
import { itemOf } from './item.ts'
import { findItem } from './store.ts'

export const createItem = handler(itemsCreate, async (call, input) => {
  const { project_id, collection_id = null } = input
  await requireProject(call, project_id, 'write')
  const faults: Fault[] = []
  const place = readPlace(input.geometry ?? null, input.bbox ?? null, faults)
  const given = input.properties ?? {}
  const times = readTimes(timesIn(input, given), faults)
  const properties = readProperties(given, faults)
  const stac_extensions = readExtensions(input.stac_extensions ?? [], faults)
  refuseFaults(faults)
  await requireOrigins(call, input)
  const id = newId()

  return call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, project_id)
    if (collection_id !== null) await collectionIn(tx, call.organization, collection_id, project_id, true)
    await addItem(tx, call, {
      ...place,
      ...times,
      id,
      project_id,
      collection_id,
      type: input.type,
      name: input.name,
      ...(input.stac_id ? { stac_id: input.stac_id } : {}),
      description: input.description ?? null,
      cloud_cover: input.cloud_cover ?? numberIn(properties, 'eo:cloud_cover', [0, 100]),
      gsd: input.gsd ?? numberIn(properties, 'gsd', [0, Infinity]),
      properties,
      stac_extensions,
    })
    await requireRoom(tx, call.organization)
    const row = await findItem(tx, call.organization, id)
    invariant(row, 'the item was inserted in this transaction')
    return itemOf(row)
  })
})

type Times = { readonly [name in 'datetime' | 'start_datetime' | 'end_datetime']?: unknown }

/** The times from the input, else from its properties. */
const timesIn = (input: Times, properties: Times): Times => ({
  datetime: input.datetime ?? properties.datetime,
  start_datetime: input.start_datetime ?? properties.start_datetime,
  end_datetime: input.end_datetime ?? properties.end_datetime,
})

type Origins = { readonly [name in 'order_id' | 'upload_id' | 'job_id']?: string | null }

/**
 * Origins that a caller names must exist and be readable. They are only validated and not stored: lineage is recorded by
 * the platform when it creates an item from an order, an upload or a job.
 */
async function requireOrigins(call: Call, { order_id, upload_id, job_id }: Origins): Promise<void> {
  if (order_id) await requireOrder(call, order_id, 'read')
  if (upload_id) await requireUpload(call, upload_id, 'read')
  // The creation of every entity emits an event.
  const job = { type: 'processing_job', id: job_id ?? '' }
  if (job_id && !(await wasMentioned(call.db, call.organization, job))) {
    throw new Problem('not-found', `No job has the id "${job_id}".`)
  }
}
