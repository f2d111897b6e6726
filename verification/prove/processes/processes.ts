import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { createJobsScenario } from '../jobs/job-calls.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { runPythonJudge, type PythonJudge } from '../harness/programs.ts'
import { createRandom } from '../harness/random.ts'
import { createFolder, waitFor } from '../harness/resources.ts'
import { grantCredits, startServer } from '../harness/server-process.ts'
import { writeFile } from 'node:fs/promises'

/** Folder in which the clients are installed, also for `.ci/run`. */
const defaultFolder = (): string => join(tmpdir(), 'swath-process-clients')

const installer = new URL('install.sh', import.meta.url)
const judge = (script: string) => ({ installer, script: new URL(script, import.meta.url) })

/** Values near a half are rounded either way. */
const max_moved = 0.001

interface ClientReport {
  readonly jobs: number
  readonly processes: number
  readonly problems: readonly string[]
}

/**
 * Two programs of others use the processes of a started server: OWSLib lists, describes, executes, follows, reads and dismisses
 * by OGC API - Processes, and a worker in Python with rasterio does a job that is delegated to it, whose pixels are compared with
 * those of the server. A PNG and a Zarr store are read by zarr, xarray and GDAL. `data` is the folder of the programs, which are installed if missing.
 */
export async function proveProcesses({ seed, data }: ProofOptions): Promise<ProofResult> {
  const programs = data ?? defaultFolder()
  await using folder = await createFolder('processes')
  await using server = await startServer({ SWATH_DATA_DIR: folder.path })
  const { client } = server
  await grantCredits(client)
  const { project, item } = await createJobsScenario(client, createRandom(seed))
  const access = { name: 'OWSLib', permissions: ['can_read', 'can_process'] }
  const { key: token } = await client.call<{ key: string }>('api_keys.create', access)
  const processes = ['band-math', 'contours', 'pan-sharpen', 'rasterize', 'vectorize']
  const request = { url: `${server.url}/processing`, token, project, item, processes }
  const [report] = (await runPythonJudge(judge('client.py'), programs, request)) as [ClientReport]
  const worker = await delegateToWorker(client, programs, { project, item, server: server.url })
  const exports = await compareExports(client, { judge: judge('exports.py'), programs, project, item })
  return {
    tried: `${report.processes} processes and ${report.jobs} jobs read by OWSLib; a hillshade of a worker in Python; ${exports.samples} samples as Zarr and PNG read by zarr, xarray and GDAL`,
    violations: [...report.problems, ...worker, ...exports.problems],
  }
}

interface DelegatedJob {
  readonly project: string
  readonly item: string
  readonly server: string
}

/** Delegates a hillshade to the worker and executes the same by the server; returns what differs. */
async function delegateToWorker(
  client: Client,
  programs: string,
  { project, item, server }: DelegatedJob,
): Promise<string[]> {
  const inputs = { item, azimuth: 300, altitude: 40 }
  const { job_types } = await client.call<{ job_types: { id: string; name: string }[] }>('processing.job_types.list')
  const { job } = await client.call<{ job: Job }>('processing.create', {
    project_id: project,
    job_type_id: job_types.find(({ name }) => name === 'hillshade')!.id,
    input_params: inputs,
  })
  const assigned = await client.call<object>('processing.job.delegate', { job_id: job.id })
  const [registered] = (await runPythonJudge(judge('worker.py'), programs, { ...assigned, server })) as [{ job: Job }]
  const { status, settlement, worker } = registered.job
  const found = [status, settlement, worker].join(' ')
  if (found !== 'completed captured external') return [`the job of the worker is ${found}`]
  const own = await client.call<{ job: Job }>('processing.execute', {
    process_id: 'hillshade',
    workspaceId: project,
    inputs,
    reuse: false,
  })
  const [theirs, ours] = [registered.job.item_ids[0]!, await waitForItem(client, own.job.id)]
  const [first, second] = [await countValues(client, theirs), await countValues(client, ours)]
  const pixels = second.reduce((sum, count) => sum + count, 0)
  const moved = second.reduce((sum, count, at) => sum + Math.abs(count - first[at]!), 0) / 2
  if (moved <= max_moved * pixels) return []
  return [`${moved} of ${pixels} pixels of the worker have another brightness than those of the server`]
}

/** Histogram of the brightness of a hillshade. */
async function countValues(client: Client, item_id: string): Promise<readonly number[]> {
  const { result } = await client.call<{ result: { histograms: { counts: number[] }[] } }>('analytics.execute', {
    operation: 'histogram',
    params: { item_id, bins: 255, range: [1, 256] },
  })
  return result.histograms[0]!.counts
}

interface ExportReport {
  readonly samples: number
  readonly problems: readonly string[]
}

interface ListedAsset {
  readonly id: string
  readonly key: string
  readonly media_type: string
}

const range = [100, 3000] as const

/** Converts an item to PNG and Zarr; programs of others read both and compare them with its GeoTIFF. */
async function compareExports(
  client: Client,
  { judge, programs, project, item }: ExportsToCompare,
): Promise<ExportReport> {
  const convert = async (inputs: object): Promise<string> => {
    const { job } = await client.call<{ job: Job }>('processing.execute', {
      process_id: 'format-conversion',
      workspaceId: project,
      inputs: { item, ...inputs },
    })
    return waitForItem(client, job.id)
  }
  await using folder = await createFolder('exports')
  const pathOf = (name: string): string => join(folder.path, name)
  const [lowest, highest] = range
  const png = await convert({ format: 'png', bands: ['b1'], lowest, highest })
  const source = await save(client, item, ({ media_type }) => media_type.includes('geotiff'), pathOf('scene.tif'))
  const zarr = await save(client, await convert({ format: 'zarr' }), isData, pathOf('scene.zarr.zip'))
  const request = { source, zarr, png: await save(client, png, isData, pathOf('scene.png')), range }
  await save(client, png, ({ key }) => key === 'world_file', pathOf('scene.pgw'))
  const [report] = (await runPythonJudge(judge, programs, request)) as [ExportReport]
  return report
}

interface ExportsToCompare {
  readonly judge: PythonJudge
  /** The folder of the programs. */
  readonly programs: string
  readonly project: string
  readonly item: string
}

const isData = ({ key }: ListedAsset): boolean => key === 'data'

/** Downloads the first asset that is chosen; returns the path. */
async function save(
  client: Client,
  item_id: string,
  choose: (asset: ListedAsset) => boolean,
  path: string,
): Promise<string> {
  const { assets } = await client.call<{ assets: ListedAsset[] }>('items.list_assets', { item_id })
  const { url } = await client.call<{ url: string }>('items.asset.download', {
    item_id,
    asset_id: assets.find(choose)!.id,
  })
  await writeFile(path, Buffer.from(await (await fetch(url)).arrayBuffer()))
  return path
}

/** The first item of a job, once it has completed. */
async function waitForItem(client: Client, job_id: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const { job } = await client.call<{ job: Job }>('processing.job.get', { job_id })
    if (job.failure) throw new Error(`the job failed: ${job.failure.text}`)
    return job.item_ids[0]
  }
  const item = await waitFor(find, { timeout_ms: 120_000, poll_ms: 200 })
  if (item === null) throw new Error('the job does not end')
  return item
}
