import { createHash } from 'node:crypto'
import type { Raster, RasterJobResult } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { canonicalJson } from '../../engine/idempotency.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { isFeatureEnabled } from '../feature-flags/feature-flags.ts'
import type { AssetRow } from '../items/assets/store.assets.ts'
import { createRasterReadBudget } from '../items/search/read-limits.ts'
import type { ItemRow } from '../items/store.ts'
import { openAssetRaster } from '../tiles/asset-source.ts'
import { convertRasterFailures, type RasterFailureFields } from '../tiles/failures.ts'
import { getCallerRasterJobRunner } from '../tiles/raster-pool.ts'
import { requireOutputWithinLimits, requireModerateResolution } from './limits/output-limits.ts'
import type { JobPlan, JobPlanAsset, JobPlanItem, JobPlanSource } from './job-plan.ts'
import type { PlannedAsset, PlannedItem, ProcessDefinition } from './process-definition.ts'
import { computeJobPrice } from './registry.ts'
import { createSourceReader } from './source-reader.ts'
import { computeJobTimeLimit } from './leases/time-limit.ts'

/** The files that a job may write: each of them is opened, and stored in the plan with its process. */
export const max_planned_assets = 100

export interface PlannedJob {
  readonly plan: JobPlan
  readonly price: ReturnType<typeof computeJobPrice>
  readonly memory_bytes: number
  /** Equal for jobs with equal results; null if a source has no checksum. */
  readonly result_key: string | null
}

/** The fields of inputs that raster failures are about: the first of each that a process has. */
const failureFields = {
  outside: ['geometry', 'areas', 'items', 'item'],
  expression: ['expression'],
  request: ['items', 'epsg'],
} as const

const listFailureFields = (inputs: object): RasterFailureFields =>
  Object.fromEntries(
    Object.entries(failureFields).flatMap(([kind, names]) => {
      const name = names.find((one) => one in inputs)
      return name === undefined ? [] : [[kind, name] as const]
    }),
  )

/**
 * Plans the outputs of a job, its price and its memory. Reads the headers of the sources, and whether they have
 * any value, so that inputs that these show to be invalid are refused before credits are held. The inputs match the schema of the process.
 */
export async function planJob(call: Call, definition: ProcessDefinition, inputs: object): Promise<PlannedJob> {
  await requireFeature(call, definition, inputs)
  const items = await definition.plan(inputs as never, createSourceReader(call))
  const assetCount = items.reduce((sum, { assets }) => sum + assets.length, 0)
  if (assetCount > max_planned_assets)
    throw new Problem(
      'budget-exceeded',
      `The job would write ${assetCount} files, and may write ${max_planned_assets}. Name fewer assets or items.`,
    )
  const fields = listFailureFields(inputs)
  const rasters = new Map<string, Raster>()
  const samplesOf = new Map<PlannedAsset, number>()
  let [samples, read_samples, memory_bytes] = [0, 0, 0]
  for (const asset of items.flatMap((item) => item.assets)) {
    const opened = await openSources(call, asset, rasters)
    const needed = await measureAsset(call, asset, opened, fields)
    samplesOf.set(asset, needed.samples)
    samples += needed.samples
    read_samples += opened.reduce((sum, { width, height, bands }) => sum + width * height * bands.length, 0)
    memory_bytes = Math.max(memory_bytes, needed.memory_bytes)
  }
  requireOutputWithinLimits(definition, { samples, memory_bytes })
  const plan = {
    ...toStoredPlan(definition, items, samplesOf),
    time_limit_s: computeJobTimeLimit(samples + read_samples),
  }
  return { plan, price: computeJobPrice(definition, samples), memory_bytes, result_key: resultKeyOf(definition, plan) }
}

/** Measures what an asset needs. Throws the problems of inputs that do not fit its sources, or find no value in them. */
async function measureAsset(
  call: Call,
  { process }: PlannedAsset,
  opened: readonly Raster[],
  fields: RasterFailureFields,
): Promise<RasterJobResult<'measureProcess'>> {
  // In a thread: the grid of an image or the outline of an area may take a quarter of a second.
  const options = { signal: call.signal, fields }
  const jobs = getCallerRasterJobRunner(call)
  await requireModerateResolution(opened, process, (epsg) => jobs.run('suggestGrid', opened, { epsg }, options))
  const needed = await jobs.run('measureProcess', opened, { process }, options)
  if (!(await jobs.run('findValuesInOverviews', opened, { process }, options)))
    await jobs.run('requireValues', opened, { process }, options)
  return needed
}

/** Throws `validation` for inputs that need a feature which the organization does not have. */
async function requireFeature(call: Call, { requiredFeature }: ProcessDefinition, inputs: object): Promise<void> {
  const needed = requiredFeature?.(inputs as never) ?? null
  if (needed === null || (await isFeatureEnabled(call.db, call.organization, needed.flag))) return
  throw validationProblem([{ path: needed.path, message: 'asks for a feature that your organization does not have' }])
}

async function openSources(call: Call, asset: PlannedAsset, rasters: Map<string, Raster>): Promise<Raster[]> {
  const opened: Raster[] = []
  for (const { asset: source } of asset.sources) {
    const raster =
      rasters.get(source.id) ??
      (await convertRasterFailures(() => openAssetRaster(call, source, createRasterReadBudget('opening'))))
    rasters.set(source.id, raster)
    opened.push(raster)
  }
  return opened
}

function toStoredPlan(
  definition: ProcessDefinition,
  items: readonly PlannedItem[],
  samplesOf: ReadonlyMap<PlannedAsset, number>,
): JobPlan {
  const assets = new Map<string, { readonly row: AssetRow; readonly source: JobPlanSource }>()
  for (const { item, asset } of items.flatMap((planned) => planned.assets).flatMap(({ sources }) => sources))
    assets.set(asset.id, {
      row: asset,
      source: { item_id: item.id, asset_id: asset.id, asset_key: asset.key, sha256: asset.checksum_sha256 },
    })
  const order = [...assets.keys()]
  return {
    sources: [...assets.values()].map(({ source }) => source),
    items: items.map(({ assets: planned, from, ...item }): JobPlanItem => ({
      ...item,
      id: newId(),
      from: [...new Set(from.map(({ id }) => id))],
      ...describeTime(from),
      properties: describeItem(definition, from),
      assets: planned.map(
        (plannedAsset) =>
          ({
            ...plannedAsset,
            sources: plannedAsset.sources.map((source) => order.indexOf(source.asset.id)),
            samples: samplesOf.get(plannedAsset)!,
          }) as JobPlanAsset,
      ),
    })),
  }
}

/** The time of one item, or the period from the first to the last of several. */
function describeTime(items: readonly ItemRow[]): Pick<JobPlanItem, 'datetime' | 'start_datetime' | 'end_datetime'> {
  const toText = (time: Date | null | undefined): string | null => time?.toISOString() ?? null
  const [first] = items
  if (items.length === 1)
    return {
      datetime: toText(first!.datetime),
      start_datetime: toText(first!.start_datetime),
      end_datetime: toText(first!.end_datetime),
    }
  const times = items
    .flatMap(({ datetime, start_datetime, end_datetime }) => [datetime, start_datetime, end_datetime])
    .flatMap((time) => (time === null ? [] : [time.getTime()]))
  if (times.length === 0) return { datetime: null, start_datetime: null, end_datetime: null }
  const [start, end] = [new Date(Math.min(...times)), new Date(Math.max(...times))]
  return { datetime: toText(start), start_datetime: toText(start), end_datetime: toText(end) }
}

/** Properties that a result shares with its sources if all of them agree. */
const sharedProperties = [
  'license',
  'attribution',
  'providers',
  'platform',
  'constellation',
  'instruments',
  'service:licence',
] as const

function describeItem({ id, version }: ProcessDefinition, items: readonly ItemRow[]): Record<string, unknown> {
  const shared = sharedProperties.flatMap((name) => {
    const values = new Set(items.map(({ properties }) => canonicalJson(properties[name])))
    const value = items[0]?.properties[name]
    return values.size === 1 && value !== undefined ? [[name, value] as const] : []
  })
  return {
    ...Object.fromEntries(shared),
    'processing:lineage': `${id} ${version} of ${items.length === 1 ? `item ${items[0]!.id}` : `${items.length} items`}`,
    'processing:software': { swath: version },
  }
}

/** SHA-256 over the process, what it does and the bytes that it reads; names and ids do not matter. */
function resultKeyOf({ id, version }: ProcessDefinition, { sources, items }: JobPlan): string | null {
  if (sources.some(({ sha256 }) => sha256 === null)) return null
  const assets = items.map((item) =>
    item.assets.map(({ key, process, bands, is_categorical, sources: used }) => ({
      key,
      process,
      bands,
      // Equal bytes may be classes in one item and measures in another; overviews of the results then differ.
      ...(is_categorical ? { is_categorical } : {}),
      sources: used.map((index) => sources[index]!.sha256),
    })),
  )
  const names = items.map(({ name }) => name)
  return createHash('sha256').update(canonicalJson({ id, version, assets, names })).digest('hex')
}
