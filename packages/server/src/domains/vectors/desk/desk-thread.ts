import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../../platform/lower-priority.ts'
import { cutTile, type TileRequest } from './cut-tile.ts'
import { openDataset, type Dataset } from './dataset.ts'
import { measureAreas, type MeasuredArea, type MeasureRequest } from './measure-areas.ts'
import { selectFeatures, type Selected, type SelectRequest } from './select-features.ts'

/** The jobs on a dataset; requests and responses are structured-cloneable. */
export interface DeskJobs {
  readonly tile: (dataset: Dataset, request: TileRequest) => Uint8Array
  readonly select: (dataset: Dataset, request: SelectRequest) => Selected
}

export type DeskJob = keyof DeskJobs

/** The jobs without a dataset. */
interface FreeJobs {
  readonly areas: (request: MeasureRequest) => MeasuredArea[]
}

/** The location of the bytes of a dataset. */
export interface DatasetPlace {
  /** Unique for these bytes. */
  readonly id: string
  readonly size: number
  /** A local file that begins with the bytes; null if they have to be transferred. */
  readonly path: string | null
}

export type DeskOrder = DatasetOrder | { readonly job: keyof FreeJobs; readonly request: unknown; readonly bytes: null }

interface DatasetOrder {
  readonly job: DeskJob
  readonly place: DatasetPlace
  readonly request: unknown
  readonly bytes: Uint8Array | null
}

export type DeskAnswer = { readonly value: unknown } | { readonly wants: 'bytes' } | { readonly fault: string }

const jobs: DeskJobs = { tile: cutTile, select: selectFeatures }
const freeJobs: FreeJobs = { areas: measureAreas }

lowerPriority()

const limit_kept_bytes = 256 * 1024 * 1024

/** The cache of datasets, the most recently used last. */
const kept = new Map<string, Dataset>()

parentPort!.on('message', (order: DeskOrder) => {
  parentPort!.postMessage(answer(order))
})

function answer(order: DeskOrder): DeskAnswer {
  if (!('place' in order)) return work(() => freeJobs[order.job](order.request as MeasureRequest))
  try {
    const dataset = datasetOf(order)
    if (!dataset) return { wants: 'bytes' }
    const job = jobs[order.job] as (dataset: Dataset, request: unknown) => unknown
    return { value: job(dataset, order.request) }
  } catch (error) {
    kept.delete(order.place.id)
    return faultOf(error)
  }
}

function work(job: () => unknown): DeskAnswer {
  try {
    return { value: job() }
  } catch (error) {
    return faultOf(error)
  }
}

const faultOf = (error: unknown): DeskAnswer => ({ fault: error instanceof Error ? error.message : String(error) })

function datasetOf({ place, bytes }: DatasetOrder): Dataset | null {
  const known = kept.get(place.id)
  const dataset = known ?? open(place, bytes)
  if (!dataset) return null
  kept.delete(place.id)
  kept.set(place.id, dataset)
  return dataset
}

function open({ path, size }: DatasetPlace, bytes: Uint8Array | null): Dataset | null {
  if (path === null && bytes === null) return null
  makeRoom(size)
  // The bytes are followed by the trailer of the disk store.
  return openDataset(path === null ? Buffer.from(bytes!.buffer) : readFileSync(path).subarray(0, size))
}

function makeRoom(size: number): void {
  let total = size + [...kept.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
  for (const [id, { bytes }] of kept) {
    if (total <= limit_kept_bytes) return
    kept.delete(id)
    total -= bytes.length
  }
}
