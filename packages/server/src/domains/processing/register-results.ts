import type { DocumentSigner } from '../../platform/crypto/document-signer.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isReleasedHold } from '../billing/payment.ts'
import { ensureResultCollection } from '../collections/result-collection.ts'
import { findCollection } from '../collections/store.ts'
import { addItem } from '../items/add-item.ts'
import type { ItemMetadataWriter } from '../items/metadata-limit.ts'
import { lockOpenProject } from '../projects/access.ts'
import { addDefaultVisualizationProfile } from '../visualization/profile.ts'
import { requireStorageWithinQuota } from '../uploads/reservation.ts'
import { completeJob, endJobWithoutResult } from './end-job.ts'
import { issueJobReceipt } from './receipts.ts'
import { lockJob, updateJobCollection, type JobRow } from './store.ts'
import { insertJobLogEntry } from './store.log.ts'
import type { WrittenItem } from './write-results.ts'

export const paymentEndedFailure = {
  code: 'payment-ended',
  text: 'The payment hold of the job ended before the job did. Execute the process again.',
}

/**
 * Writes the items of a job, completes it with a signed receipt and captures its hold, in one transaction: the one way in which
 * results of any worker become items. Null, with nothing written, if the attempt has lost the job. Throws `not-found` or `invalid-state` if
 * the project was deleted or archived, and `quota-storage`.
 */
export async function registerJobResults(
  tx: Tx,
  actor: ItemMetadataWriter,
  { id, attempt }: Pick<JobRow, 'id' | 'attempt'>,
  { written, signer }: { readonly written: readonly WrittenItem[]; readonly signer: DocumentSigner },
): Promise<JobRow | null> {
  const job = await lockJob(tx, actor.organization, id)
  if (!job || job.status !== 'running' || job.attempt !== attempt) return null
  if (job.hold_id !== null && (await isReleasedHold(tx, actor.organization, job.hold_id)))
    return endJobWithoutResult(tx, actor, job, { move: 'fail', failure: paymentEndedFailure })
  await lockOpenProject(tx, actor, job.project_id)
  const target = { ...job, collection_id: await findTargetCollection(tx, actor, job) }
  for (const item of written) {
    await addResultItem(tx, actor, target, item)
    const { id: item_id, style } = item.plan
    if (style) await addDefaultVisualizationProfile(tx, actor, item_id, style)
  }
  await requireStorageWithinQuota(tx, actor.organization)
  for (const message of new Set(written.flatMap(({ notes }) => notes)))
    await insertJobLogEntry(tx, actor.organization, job.id, { at: actor.clock.now(), level: 'warning', message })
  return completeJob(tx, actor, job, {
    item_ids: written.map(({ plan }) => plan.id),
    signed: issueJobReceipt(signer, job, written, actor.clock.now()),
  })
}

/** The collection of the results, which is created if the job asked for one; it may have been deleted since the job was created. */
async function findTargetCollection(tx: Tx, actor: ItemMetadataWriter, job: JobRow): Promise<string | null> {
  const { id, project_id, plan } = job
  if (plan.results_collection !== undefined) {
    const source = { type: 'job' as const, id }
    const created = await ensureResultCollection(tx, actor, { project_id, source, name: plan.results_collection })
    await updateJobCollection(tx, actor.organization, id, created)
    return created
  }
  const collection = job.collection_id && (await findCollection(tx, actor.organization, job.collection_id))
  return collection && collection.project_id === project_id ? collection.id : null
}

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))

async function addResultItem(
  tx: Tx,
  actor: ItemMetadataWriter,
  job: JobRow,
  { plan, geometry, gsd, assets }: WrittenItem,
): Promise<void> {
  await addItem(tx, actor, {
    id: plan.id,
    project_id: job.project_id,
    collection_id: job.collection_id,
    job_id: job.id,
    type: plan.type,
    name: plan.name,
    geometry,
    datetime: toDate(plan.datetime),
    start_datetime: toDate(plan.start_datetime),
    end_datetime: toDate(plan.end_datetime),
    gsd,
    properties: plan.properties,
    stac_extensions: ['https://stac-extensions.github.io/processing/v1.2.0/schema.json'],
    assets,
    lineage: [
      { relation: 'produced_by', dst: { type: 'processing_job', id: job.id } },
      ...plan.from.map((id) => ({ relation: 'derived_from' as const, dst: { type: 'item', id } })),
    ],
  })
}
