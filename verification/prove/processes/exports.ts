import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { runPythonJudge, type PythonJudge } from '../python-judge.ts'

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
export async function compareExports(
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
  const folder = await mkdtemp(join(tmpdir(), 'swath-exports-'))
  try {
    const [lowest, highest] = range
    const png = await convert({ format: 'png', bands: ['b1'], lowest, highest })
    const source = await save(
      client,
      item,
      ({ media_type }) => media_type.includes('geotiff'),
      join(folder, 'scene.tif'),
    )
    const zarr = await save(client, await convert({ format: 'zarr' }), isData, join(folder, 'scene.zarr.zip'))
    const request = { source, zarr, png: await save(client, png, isData, join(folder, 'scene.png')), range }
    await save(client, png, ({ key }) => key === 'world_file', join(folder, 'scene.pgw'))
    const [report] = (await runPythonJudge(judge, programs, request)) as [ExportReport]
    return report
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface ExportsToCompare {
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
export async function waitForItem(client: Client, job_id: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const { job } = await client.call<{ job: Job }>('processing.job.get', { job_id })
    if (job.item_ids[0] !== undefined) return job.item_ids[0]
    if (job.failure) throw new Error(`the job failed: ${job.failure.text}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the job does not end')
}
