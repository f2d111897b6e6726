import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { shiftTime } from '../../platform/clock.ts'
import { findAsset } from '../items/assets/store.assets.ts'
import { issueWorkerToken } from '../identity/workers/worker-tokens.ts'
import { requireJob } from './access.ts'
import { jobFolder, type PlanSource } from './job-plan.ts'
import { beginAttempt } from './run-job.ts'
import { lockJob, type JobRow } from './store.ts'

/** A URL for a program that has no token of ours. */
const media_type = 'image/tiff'

/**
 * Hands a pending job to a program outside of the server. It may read the sources and upload one file for each output until
 * the lease ends. Throws `not-found`, `not-a-member` and `invalid-state`.
 */
export async function delegateJob(call: Call, job_id: string, lease_seconds: number) {
  const { id } = await requireJob(call, job_id, 'write')
  const lease_until = shiftTime(call.clock.now(), lease_seconds * 1000)
  const job = await call.transaction(async (tx) => {
    const locked = await lockJob(tx, call.organization, id)
    if (locked?.status !== 'pending')
      throw new Problem(
        'invalid-state',
        `The job is ${locked?.status ?? 'deleted'}: only a pending job can be delegated.`,
      )
    if (locked.reused_job_id !== null)
      throw new Problem('invalid-state', 'The job shares a result that exists: dispatch it.')
    return beginAttempt(tx, call, locked, { worker: 'external', lease_until })
  })
  const token = await issueWorkerToken(call, job.id, lease_until)
  const sources = await Promise.all(job.plan.sources.map((source) => toSourceUrl(call, source, lease_seconds)))
  const outputs = await createUploadUrls(call, job, lease_seconds)
  return { job, assignment: { token, expires_at: lease_until.toISOString(), sources, outputs } }
}

async function toSourceUrl(call: Call, { item_id, asset_id, asset_key, sha256 }: PlanSource, expires_s: number) {
  const asset = await findAsset(call.db, call.organization, item_id, asset_id)
  const file_name = `${asset_key}.tif`
  const url = asset?.blob_path
    ? (await call.blobs.signGet(asset.blob_path, { expires_s, file_name, media_type, base: call.baseUrl })).url
    : (asset?.external_href ?? '')
  return { item_id, asset_key, url, sha256 }
}

function createUploadUrls(call: Call, { id, plan }: JobRow, expires_s: number) {
  const files = plan.items.flatMap((item, itemIndex) =>
    item.assets.map((asset, index) => ({
      item,
      asset,
      object_path: outputPath(call.organization, id, itemIndex, index),
    })),
  )
  return Promise.all(
    files.map(async ({ item, asset, object_path }) => ({
      name: item.name,
      asset_key: asset.key,
      object_path,
      upload_url: (await call.blobs.signPut(object_path, { expires_s, media_type, base: call.baseUrl })).url,
    })),
  )
}

/** Where an outside worker uploads the file of an asset. */
export const outputPath = (organization: string, job: string, item: number, asset: number): string =>
  `${jobFolder(organization, job)}/item-${item}-asset-${asset}.tif`
