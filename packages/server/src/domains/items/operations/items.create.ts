import { itemsCreateOperation } from '@swath/contract/operations/items.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant, Problem, type FieldError } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { requireCollectionInProject } from '../../collections/access.ts'
import { findProjectOfEntity } from '../../events/store.projects.ts'
import { requireOrder } from '../../orders/access.ts'
import { lockOpenProject, requireProject } from '../../projects/access.ts'
import { requireProjectRecords } from '../../projects/record-access.ts'
import { requireUpload } from '../../uploads/access.ts'
import { requireStorageWithinQuota } from '../../uploads/reservation.ts'
import { addItem } from '../add-item.ts'
import { toHandmadeLineage } from '../handmade-lineage.ts'
import {
  readNumberProperty,
  parseExtensionUrls,
  parseItemGeometry,
  parseItemProperties,
  parseItemTimes,
  throwIfFieldErrors,
} from '../item-input.ts'
import { toItem } from '../item.ts'
import { findItem } from '../store.ts'

export const handler = defineHandler(itemsCreateOperation, async (call, input) => {
  const { project_id, collection_id = null } = input
  await requireProject(call, project_id, 'write')
  const errors: FieldError[] = []
  const itemGeometry = parseItemGeometry(input.geometry ?? null, input.bbox ?? null, errors)
  const inputProperties = input.properties ?? {}
  const times = parseItemTimes(timesFrom(input, inputProperties), errors)
  const properties = parseItemProperties(inputProperties, errors)
  const stac_extensions = parseExtensionUrls(input.stac_extensions ?? [], errors)
  throwIfFieldErrors(errors)
  await requireReadableOrigins(call, input)
  const id = newId()

  return call.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    if (collection_id !== null)
      await requireCollectionInProject(tx, {
        organization: call.organization,
        id: collection_id,
        project_id,
        lock: true,
      })
    await addItem(tx, call, {
      ...itemGeometry,
      ...times,
      id,
      project_id,
      collection_id,
      type: input.type,
      name: input.name,
      ...(input.stac_id ? { stac_id: input.stac_id } : {}),
      description: input.description ?? null,
      cloud_cover: input.cloud_cover ?? readNumberProperty(properties, 'eo:cloud_cover', [0, 100]),
      gsd: input.gsd ?? readNumberProperty(properties, 'gsd', [0, Infinity]),
      properties,
      stac_extensions,
      lineage: toHandmadeLineage(call, input),
    })
    await requireStorageWithinQuota(tx, call.organization)
    const row = await findItem(tx, call.organization, id)
    assertInvariant(row, 'the item was inserted in this transaction')
    return toItem(row)
  })
})

type TimeInput = { readonly [name in 'datetime' | 'start_datetime' | 'end_datetime']?: unknown }

/** The times from the input, else from its properties. */
const timesFrom = (input: TimeInput, properties: TimeInput): TimeInput => ({
  datetime: input.datetime ?? properties.datetime,
  start_datetime: input.start_datetime ?? properties.start_datetime,
  end_datetime: input.end_datetime ?? properties.end_datetime,
})

type OriginIds = { readonly [name in 'order_id' | 'upload_id' | 'job_id']?: string | null }

/**
 * Origins that a caller names must exist and be readable: the lineage of the item has them. The item itself does not, because what the
 * platform has delivered or computed is told from them.
 */
async function requireReadableOrigins(call: Call, { order_id, upload_id, job_id }: OriginIds): Promise<void> {
  if (order_id) await requireOrder(call, order_id, 'read')
  if (upload_id) await requireUpload(call, upload_id, 'read')
  if (job_id) await requireJobRecords(call, job_id)
}

/** Throws `not-found` for a job of no project of the organization, and `not-a-member` for one of a project that the caller may not read. */
async function requireJobRecords(call: Call, id: string): Promise<void> {
  const project = await findProjectOfEntity(call.db, call.organization, { type: 'processing_job', id })
  if (project === null) throw new Problem('not-found', `No job has the id "${id}".`)
  await requireProjectRecords(call, project)
}
