import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { toProcessClockTime } from '../../platform/clock.ts'
import { issueWorkerToken } from '../identity/workers/worker-tokens.ts'
import { lockRemainingStorage, storageQuotaExceeded } from '../uploads/reservation.ts'
import { jobNotFound, requireJob } from './access.ts'
import { type JobPlanSource, isRasterPlanAsset, getJobUploadFolder } from './job-plan.ts'
import { beginJobAttempt } from './run-job.ts'
import { type JobRow, lockJob } from './store.ts'
import { requireItem } from '../items/access.ts'
import { issueDownloadUrl } from '../items/assets/download-url.ts'
import { findAsset } from '../items/assets/store.assets.ts'
import { requireUnchangedSource } from './unchanged-source.ts'

/** A source of a job that a program without a token of ours can download. */
interface SourceUrl {
  readonly item_id: string
  readonly asset_key: string
  readonly url: string
  /** Null for a file hosted elsewhere. */
  readonly sha256: string | null
}

/**
 * Issues download URLs of the sources of a job, counted as other downloads are. The caller may not be the one who created the
 * job, so that each source is authorized again. Throws what `requireItem` and `issueDownloadUrl` throw, and `not-found` or
 * `invalid-state` for an asset that was deleted or replaced.
 */
async function issueSourceUrls(call: Call, sources: readonly JobPlanSource[], expires_s: number): Promise<SourceUrl[]> {
  const readable = []
  // Every source is checked before the first URL is counted.
  for (const source of sources) readable.push(await requireSource(call, source))
  const issued: SourceUrl[] = []
  for (const { item, asset, source } of readable) {
    const { item_id, asset_key, sha256 } = source
    const url = asset.blob_path
      ? (await issueDownloadUrl(call, item, asset, { expires_s })).url
      : (asset.external_href ?? '')
    issued.push({ item_id, asset_key, url, sha256 })
  }
  return issued
}

async function requireSource(call: Call, source: JobPlanSource) {
  const item = await requireItem(call, source.item_id, 'read')
  const asset = await findAsset(call.db, call.organization, source.item_id, source.asset_id)
  return { item, asset: requireUnchangedSource(asset, source), source }
}

/** A URL for a program that has no token of ours. */
const media_type = 'image/tiff'

/**
 * Hands a pending job to a program outside of the server. It may read the sources and upload one file for each output until
 * the lease ends. Throws `not-found`, `not-a-member`, `invalid-state`, `quota-storage`, and what `issueSourceUrls` throws.
 */
export async function delegateJobToOutsideWorker(call: Call, job_id: string, lease_seconds: number) {
  const found = await requireJob(call, job_id, 'write')
  requireDelegable(found)
  const sources = await issueSourceUrls(call, found.plan.sources, lease_seconds)
  const lease_until = toProcessClockTime(call.clock.process, lease_seconds * 1000)
  const { job, free_bytes } = await call.transaction(async (tx) => {
    const locked = await lockJob(tx, call.organization, found.id)
    if (!locked) throw jobNotFound(job_id)
    requireDelegable(locked)
    const free_bytes = await lockRemainingStorage(tx, call.organization)
    if (free_bytes === 0) throw storageQuotaExceeded(1, free_bytes)
    return { job: await beginJobAttempt(tx, call, locked, { worker: 'external', lease_until }), free_bytes }
  })
  const token = await issueWorkerToken(call, job.id, lease_until)
  const outputs = await createUploadUrls(call, job, { expires_s: lease_seconds, free_bytes })
  return { job, assignment: { token, expires_at: lease_until.toISOString(), sources, outputs } }
}

function requireDelegable({ status, reused_job_id, plan }: JobRow): void {
  if (status !== 'pending')
    throw new Problem('invalid-state', `The job is ${status}: only a pending job can be delegated.`)
  if (!plan.items.every(({ assets }) => assets.every(isRasterPlanAsset)))
    throw new Problem('invalid-state', 'The job writes no GeoTIFF, which only the server does: dispatch it.')
  if (reused_job_id !== null) throw new Problem('invalid-state', 'The job shares a result that exists: dispatch it.')
}

/** All files of a job together may have the bytes that the plan of the organization has left. */
function createUploadUrls(
  call: Call,
  { id, plan }: JobRow,
  { expires_s, free_bytes }: { readonly expires_s: number; readonly free_bytes: number },
) {
  const within = Number.isFinite(free_bytes)
    ? { folder: getJobUploadFolder(call.organization, id), bytes: free_bytes }
    : null
  const files = plan.items.flatMap((item, itemIndex) =>
    item.assets.map((asset, index) => ({
      item,
      asset,
      object_path: buildWorkerOutputPath(call.organization, id, itemIndex, index),
    })),
  )
  return Promise.all(
    files.map(async ({ item, asset, object_path }) => ({
      name: item.name,
      asset_key: asset.key,
      object_path,
      upload_url: (await call.blobs.signPut(object_path, { expires_s, media_type, base: call.baseUrl, within })).url,
    })),
  )
}

/** The path where an outside worker uploads the file of an asset. */
export const buildWorkerOutputPath = (organization: string, job: string, item: number, asset: number): string =>
  `${getJobUploadFolder(organization, job)}/item-${item}-asset-${asset}.tif`
