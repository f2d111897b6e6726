import { jobReceiptSignerKey } from './receipts.ts'
import { join } from 'node:path'
import { openRasterFile, type Raster } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { withWorkFolder } from '../../platform/work-folder.ts'
import { convertRasterFailures } from '../tiles/failures.ts'
import { getCallerRasterJobRunner } from '../tiles/raster-pool.ts'
import { checkRasterBeforeConversion } from '../uploads/convert-raster.ts'
import { lockRemainingStorage, storageQuotaExceeded } from '../uploads/reservation.ts'
import { writeStreamToFile } from '../uploads/write-stream.ts'
import { jobNotFound } from './access.ts'
import { buildWorkerOutputPath } from './delegate-job.ts'
import { removeUnregisteredJobFiles, removeRunFiles } from './clean-job.ts'
import { getJobUploadFolder, type JobPlanAsset, type RasterPlanAsset, type RegisteredOutput } from './job-plan.ts'
import { registerJobResults } from './register-results.ts'
import { findJob, updateRegisteredOutputs, type JobRow } from './store.ts'
import { computeAndStoreItemFiles, type WrittenItem } from './write-results.ts'

export interface WorkerOutput {
  readonly object_path: string
  readonly sha256?: string | null
}

/**
 * Registers the files that the outside worker of a job uploaded: each is converted to a cloud-optimized GeoTIFF, and they
 * become items as those of the server's own workers do. Repeating it with the same files has no effect; with others it is `invalid-state`. Throws `forbidden` for any other caller,
 * `validation` for files that are missing or do not match their checksum, `unsupported-raster`, `budget-exceeded` for files of
 * more samples than planned, `quota-storage`, and `invalid-state` for a job that has ended otherwise.
 */
export async function registerJobOutputs(
  call: Call,
  job_id: string,
  outputs: readonly WorkerOutput[],
): Promise<JobRow> {
  const job = await findJob(call.db, call.organization, job_id)
  if (!job) throw jobNotFound(job_id)
  if (call.principal.kind !== 'worker' || call.principal.id !== job.id)
    throw new Problem('forbidden', 'Only the worker to which the job was delegated can register its outputs.')
  if (job.status === 'completed' && job.worker === 'external') {
    requireSameOutputs(job, outputs)
    return job
  }
  if (job.status !== 'running' || job.worker !== 'external')
    throw new Problem('invalid-state', `The job is ${job.status} and takes no outputs from this worker.`)
  await requireFreeStorage(call, job)
  const run = newId()
  let registered: JobRow | null = null
  try {
    const written = await withWorkFolder((folder) => writeOutputs(call, job, outputs, { folder, run }))
    registered = await call.transaction(async (tx) => {
      await updateRegisteredOutputs(tx, call.organization, job.id, outputs.map(toRegisteredOutput))
      const signer = call.processServices.get(jobReceiptSignerKey)
      return registerJobResults(tx, call, job, { written, signer })
    })
  } finally {
    if (registered?.status !== 'completed') await removeRunFiles(call.db, call.blobs, job, run)
  }
  if (registered?.status === 'completed') return registered
  await removeUnregisteredJobFiles(call.db, call.blobs, call.organization, job.id)
  throw new Problem('invalid-state', registered?.failure_text ?? 'The job was ended or given to another worker.')
}

const toRegisteredOutput = ({ object_path, sha256 }: WorkerOutput): RegisteredOutput => ({
  object_path,
  sha256: sha256?.toLowerCase() ?? null,
})

/** Throws `invalid-state` for files that are not those with which the job has completed. */
function requireSameOutputs(
  { plan: { registered_outputs: registered } }: JobRow,
  outputs: readonly WorkerOutput[],
): void {
  // A job that was completed by an earlier version.
  if (!registered) return
  const checksums = new Map(registered.map(({ object_path, sha256 }) => [object_path, sha256]))
  const isSame = ({ object_path, sha256 }: RegisteredOutput): boolean => {
    const before = checksums.get(object_path)
    return before !== undefined && (before === null || sha256 === null || before === sha256)
  }
  if (outputs.length === registered.length && outputs.map(toRegisteredOutput).every(isSame)) return
  throw new Problem('invalid-state', 'The job has completed with other outputs, which cannot be replaced.')
}

async function writeOutputs(
  call: Call,
  job: JobRow,
  outputs: readonly WorkerOutput[],
  { folder, run }: { readonly folder: string; readonly run: string },
): Promise<WrittenItem[]> {
  const { organization, blobs, signal } = call
  const jobs = getCallerRasterJobRunner(call)
  const refuse = async (): Promise<never> => {
    throw new Error('jobs that write features or other formats are not delegated')
  }
  const written: WrittenItem[] = []
  for (const [itemIndex, plan] of job.plan.items.entries()) {
    const createCog = async (asset: RasterPlanAsset, path: string) => {
      const object_path = buildWorkerOutputPath(organization, job.id, itemIndex, plan.assets.indexOf(asset))
      const received = join(folder, 'received.tif')
      const size_bytes = await receiveFile(call, outputs, object_path, received)
      const raster = await convertRasterFailures(() => openRasterFile(received, { signal }))
      try {
        await convertRasterFailures(async () => checkRasterBeforeConversion(raster, size_bytes))
        requirePlannedSize(raster, asset)
        return await jobs.run('processToCog', [raster], { path, process: { name: 'copy' } }, { signal })
      } finally {
        await raster.source.close()
      }
    }
    const create = { createCog, createFeatures: refuse, createExport: refuse }
    written.push(await computeAndStoreItemFiles({ organization, run, blobs, jobs, folder, signal, ...create }, plan))
  }
  return written
}

/** The price was held for the planned samples. */
function requirePlannedSize(
  { width, height, bands }: Raster,
  { key, samples = Number.POSITIVE_INFINITY }: JobPlanAsset,
) {
  const received = width * height * bands.length
  if (received <= samples) return
  throw new Problem(
    'budget-exceeded',
    `The file "${key}" has ${received} samples, and the job was planned and paid for ${samples}.`,
  )
}

/** Refuses uploads of more bytes than the plan of the organization has left: not every store does while they arrive. */
async function requireFreeStorage(call: Call, job: JobRow): Promise<void> {
  const free_bytes = await call.transaction((tx) => lockRemainingStorage(tx, call.organization))
  let needed_bytes = 0
  for await (const { size } of call.blobs.list(`${getJobUploadFolder(call.organization, job.id)}/`))
    needed_bytes += size
  if (needed_bytes > free_bytes) throw storageQuotaExceeded(needed_bytes, free_bytes)
}

/** Copies an uploaded file to a local one, and verifies its checksum. Returns its size in bytes. */
async function receiveFile(
  { blobs, signal }: Call,
  outputs: readonly WorkerOutput[],
  object_path: string,
  path: string,
): Promise<number> {
  const index = outputs.findIndex((output) => output.object_path === object_path)
  const output = outputs[index]
  if (!output) throw validationProblem([{ path: 'outputs', message: `lacks the file "${object_path}"` }])
  const stored = await blobs.head(object_path)
  if (!stored) throw validationProblem([{ path: `outputs.${index}.object_path`, message: 'was not uploaded' }])
  const { sha256 } = await writeStreamToFile(await blobs.stream(object_path), path, signal)
  if (output.sha256 && output.sha256.toLowerCase() !== sha256)
    throw validationProblem([
      { path: `outputs.${index}.sha256`, message: `is not that of the uploaded file, ${sha256}` },
    ])
  return stored.size
}
