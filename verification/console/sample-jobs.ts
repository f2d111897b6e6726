import type { Client } from '@swath/client/client.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { requireSoon } from './sample-alerts.ts'

type Found = OutputOf<'stac.search'>['features'][number]

/** The results of jobs on scenes of an organization. */
export interface SampleJobs {
  /** An item with the bands of a vegetation index. */
  readonly indexItem: IndexItem
  /** A completed job. */
  readonly jobId: string
  readonly cancelledJobId: string
  /** Another item with the same pixels. */
  readonly twinId: string
}

interface IndexItem {
  readonly id: string
  readonly title: string
  /** Corners of an area in its middle, as the address of the viewer and of Analyse has them. */
  readonly area: string
}

interface AssetBands {
  readonly 'eo:bands'?: readonly { readonly common_name?: string }[]
}

const commonNames = ({ assets }: Found): readonly unknown[] =>
  (Object.values(assets) as readonly AssetBands[]).flatMap((asset) =>
    (asset['eo:bands'] ?? []).map(({ common_name }) => common_name),
  )

/** A rectangle in the middle of an item: a fifth of its width and height. */
function middleOf([west, south, east, north]: readonly number[]): string {
  const [x, y] = [(west! + east!) / 2, (south! + north!) / 2]
  const [dx, dy] = [(east! - west!) / 10, (north! - south!) / 10]
  return [[x - dx, y - dy], [x + dx, y - dy], [x + dx, y + dy], [x - dx, y + dy]]
    .map((corner) => corner.map((value) => value.toFixed(4)).join(','))
    .join(';') // prettier-ignore
}

/** The newest item whose bands allow NDVI. */
export async function findIndexItem(client: Client): Promise<IndexItem> {
  const { features } = await client.call('stac.search', { limit: 100 })
  const found = features.find((feature) => ['red', 'nir'].every((name) => commonNames(feature).includes(name)))
  if (!found) throw new Error('no item has a red and a near-infrared band')
  const { id, properties, bbox } = found
  return {
    id: String(properties['service:item_id'] ?? id),
    title: String(properties['place'] ?? properties['title'] ?? id),
    area: middleOf(bbox as readonly number[]),
  }
}

const waitForJob = (client: Client, job_id: string): Promise<void> =>
  requireSoon('the job was not completed in time', async () => {
    const { job } = await client.call('processing.job.get', { job_id })
    if (job.status === 'failed') throw new Error(`the job failed: ${job.failure?.text}`)
    return job.status === 'completed'
  })

/** An index that is computed, a job that was cancelled, and one that waits. */
export async function runJobs(client: Client, project_id: string): Promise<SampleJobs> {
  const indexItem = await findIndexItem(client)
  const { job_types } = await client.call('processing.job_types.list', {})
  const create = async (name: string, input_params: Record<string, unknown>): Promise<string> => {
    const job_type_id = job_types.find((type) => type.name === name)!.id
    const { job } = await client.call('processing.create', { project_id, job_type_id, input_params }, { idempotencyKey: `sample-${name}` }) // prettier-ignore
    return job.id
  }
  const { job } = await client.call(
    'processing.execute',
    { process_id: 'spectral-index', workspaceId: project_id, inputs: { item: indexItem.id, index: 'ndvi' } },
    { idempotencyKey: 'sample-index' },
  )
  await waitForJob(client, job.id)
  const cancelledJobId = await create('format-conversion', { item: indexItem.id, compression: 'zstd' })
  await client.call('processing.job.cancel', { job_id: cancelledJobId })
  await create('mosaic', { items: [indexItem.id], method: 'median', title: 'Harvest, median' })
  const { id: twinId } = await client.call('items.duplicate', { item_id: indexItem.id })
  return { indexItem, jobId: job.id, cancelledJobId, twinId }
}
