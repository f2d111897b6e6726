import { createBox } from '../harness/demo-scene.ts'
import { countOutcome, type OutcomeTally } from '../load/samples.ts'
import { createKeepAliveAgent, createOperationCall, flood, send } from '../load/sender.ts'
import type { Attack, AttackBounds } from './attack-target.ts'
import { prepareWorkItems, type WorkItems } from './work-inputs.ts'

// Every process and every analytics method with parameters that make its output or its work large.

/** Work uses all idle capacity, so the bounds are of the latency of others and of the memory, not of a slowdown. */
const workBounds: AttackBounds = { max_tile_ms: 1500, max_growth_mib: 1536 }

interface JobRow {
  readonly process_id: string
  readonly inputs: (items: WorkItems) => object
  /** Jobs at the same time; default 1. */
  readonly jobs?: number
  /** The input that is refused before there is a job; without one a job must run. */
  readonly refused?: string
}

const many = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value)

const longFormula = many('sqrt(abs(b1 * b1 - 3)) / (b1 + 1)', 10).join(' + ')

/** The bands of the test scene by the names of formulas. */
const bandNames = { blue: 'B02', green: 'B03', red: 'B04', nir: 'B08' }

const jobRows: readonly JobRow[] = [
  { process_id: 'contours', inputs: ({ noise }) => ({ item: noise, interval: 1e-6 }), refused: 'interval' },
  // An interval that the statistics of the band do not refuse.
  { process_id: 'contours', inputs: ({ noise }) => ({ item: noise, interval: 8 }), jobs: 2 },
  { process_id: 'vectorize', inputs: ({ noise }) => ({ item: noise, connectedness: 8 }), jobs: 2 },
  { process_id: 'sieve', inputs: ({ noise }) => ({ item: noise, min_pixels: 1e9, connectedness: 8 }), jobs: 2 },
  { process_id: 'resample', inputs: ({ scene }) => ({ item: scene, resolution: 1e-9 }), refused: 'resolution' },
  { process_id: 'resample', inputs: ({ scene }) => ({ item: scene, resolution: 0.6, resampling: 'cubic' }), jobs: 2 },
  {
    process_id: 'reproject',
    inputs: ({ scene }) => ({ item: scene, epsg: 3857, resolution: 1e-300 }),
    refused: 'resolution',
  },
  { process_id: 'reproject', inputs: ({ scene }) => ({ item: scene, epsg: 4326, resolution: 1e-5 }), jobs: 2 },
  { process_id: 'clip', inputs: ({ scene, comb }) => ({ item: scene, geometry: comb }), jobs: 2 },
  {
    process_id: 'rasterize',
    inputs: ({ scene, comb }) => ({
      item: scene,
      areas: many(0, 2).map((_, at) => ({ geometry: comb, value: at + 1 })),
      data_type: 'float32',
    }),
  },
  {
    process_id: 'band-math',
    inputs: ({ noise }) => ({ item: noise, expression: longFormula }),
    jobs: 2,
  },
  {
    process_id: 'spectral-index',
    inputs: ({ scene, comb }) => ({ item: scene, index: 'evi', band_mapping: bandNames, geometry: comb }),
    jobs: 2,
  },
  { process_id: 'format-conversion', inputs: ({ noise }) => ({ item: noise, compression: 'zstd' }), jobs: 2 },
  {
    process_id: 'format-conversion',
    inputs: ({ noise }) => ({ item: noise, format: 'png', lowest: -1e308, highest: 1e308 }),
  },
  { process_id: 'mosaic', inputs: ({ far, noise }) => ({ items: [noise, far], method: 'mean' }) },
  { process_id: 'mosaic', inputs: ({ far, noise }) => ({ items: [noise, far], method: 'median' }), jobs: 2 },
  {
    process_id: 'composite',
    inputs: ({ series, far }) => ({ items: [...series, far], period: 'all', method: 'median' }),
  },
  {
    process_id: 'cloud-mask',
    inputs: ({ noise }) => ({
      item: noise,
      classes: many(0, 256).map((_, at) => at),
      bits: many(0, 32).map((_, at) => at),
    }),
    jobs: 2,
  },
  ...['hillshade', 'slope', 'aspect'].map((process_id) => ({
    process_id,
    inputs: ({ noise }: WorkItems) => ({ item: noise, z_factor: 1e-300 }),
    jobs: 4,
  })),
  {
    process_id: 'pan-sharpen',
    inputs: ({ scene }) => ({ item: scene, pan_band: 'B02', bands: ['B03', 'B04', 'B08'], weights: many(1e-300, 3) }),
    jobs: 2,
  },
]

const poll_ms = 200

/** A job from the beginning of a response, which may be cut. */
function readJob(body: string): { readonly id: string; readonly status: string } {
  const field = (name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(body)![1]!
  return { id: field('id'), status: field('status') }
}

/** The first input that a response with errors of fields names; empty if there is none. */
const readRefusedInput = (body: string): string => /"path":"inputs\.([^"]*)"/.exec(body)?.[1] ?? ''

/** Executes a process until the end of the attack, and cancels the remaining jobs; counts how the jobs ended. */
const runJobs =
  ({ process_id, inputs, jobs = 1 }: JobRow): Attack['run'] =>
  async (target, until) => {
    const { url, attacker } = target
    const items = await prepareWorkItems(target)
    const request = { process_id, workspaceId: attacker.project, inputs: inputs(items), reuse: false }
    const tally: OutcomeTally = new Map()
    const agent = createKeepAliveAgent(jobs)
    const call = async (id: string, input: object) => {
      const { outcome, body } = await send(url, createOperationCall(id, input, attacker.api_key), agent)
      return { outcome, body, job: outcome === '200' ? readJob(body) : null }
    }
    const until_ms = until()
    const runOne = async (): Promise<void> => {
      const executed = await call('processing.execute', request)
      let { job } = executed
      if (!job) return countOutcome(tally, `execute ${executed.outcome} ${readRefusedInput(executed.body)}`)
      while (['dispatched', 'running', 'pending'].includes(job.status) && performance.now() < until_ms) {
        await new Promise((resolve) => setTimeout(resolve, poll_ms))
        job = (await call('processing.job.get', { job_id: job.id })).job ?? job
      }
      const ended = await call('processing.job.cancel', { job_id: job.id })
      countOutcome(tally, ended.outcome === '200' ? 'job cancelled' : `job ${job.status}`)
    }
    await Promise.all(many(0, jobs).map(runOne))
    agent.destroy()
    return tally
  }

const percentiles = many(0, 100).map((_, at) => at)

interface MethodRow {
  readonly name: string
  readonly operation: string
  readonly input: (items: WorkItems) => object
}

const execute = (name: string, params: (items: WorkItems) => object): MethodRow => ({
  name,
  operation: 'analytics.execute',
  input: (items) => ({ operation: name, params: params(items) }),
})

/** Closed lines over the whole scene, as many as a call may have. */
const manyZones = ({ bounds: [west, south, east, north] }: WorkItems): object[] =>
  many(0, 1000).map((_, at) => {
    const inset = ((east - west) * at) / 5000
    return { id: String(at), geometry: createBox(west + inset, south + inset, east - inset, north - inset) }
  })

/** The whole scene as a window. */
const windowOf = ({ scene_url, bounds: [west, south, east, north] }: WorkItems): object => ({
  cog_url: scene_url,
  bbox: { west, south, east, north },
  sensor: 'sentinel-2a',
})

const methodRows: readonly MethodRow[] = [
  execute('zonal_stats', (items) => ({ item_id: items.noise, zones: manyZones(items), percentiles, bins: 150 })),
  execute('zonal_stats', ({ noise, comb }) => ({ item_id: noise, geometry: comb, categories: true, bins: 1024 })),
  execute('time_series', ({ series, comb }) => ({ item_ids: series.slice(0, 3), geometry: comb })),
  execute('change_detection', ({ scene, comb }) => ({
    before_item_id: scene,
    after_item_id: scene,
    index_name: 'EVI',
    band_mapping: bandNames,
    change_threshold: 0,
    geometry: comb,
  })),
  execute('histogram', ({ noise }) => ({ item_id: noise, bins: 1024, range: [-1e300, 1e300] })),
  execute('line_profile', ({ noise, bounds: [west, south, east, north] }) => ({
    item_id: noise,
    samples: 256,
    coordinates: many(0, 1000).map((_, at) => [at % 2 ? west : east, at % 3 ? south : north]),
  })),
  execute('point_series', ({ series, bounds: [west, south] }) => ({
    item_ids: series,
    points: many({ lon: west + 1e-3, lat: south + 1e-3 }, 20),
  })),
  {
    name: 'band_math',
    operation: 'analytics.band_math',
    input: (items) => ({ ...windowOf(items), formula: longFormula.replaceAll('b1', 'red') }),
  },
  {
    name: 'calculate_index',
    operation: 'analytics.calculate_index',
    input: (items) => ({ ...windowOf(items), index_name: 'EVI' }),
  },
  {
    name: 'statistics',
    operation: 'items.tile.statistics',
    input: ({ noise }) => ({ item_id: noise, expression: longFormula }),
  },
]

const runMethod =
  ({ operation, input }: MethodRow): Attack['run'] =>
  async (target, until) => {
    const { url, attacker } = target
    const request = createOperationCall(operation, input(await prepareWorkItems(target)), attacker.api_key)
    return flood({ url, next: () => request, callers: 8, until_ms: until() })
  }

/** More jobs than the server runs of one organization; each works longer than the attack. */
const longJobs: JobRow = {
  process_id: 'resample',
  inputs: ({ scene }) => ({ item: scene, resolution: 0.6, resampling: 'cubic' }),
  jobs: 12,
}

/** Statistics that take seconds. */
const longStatistics: MethodRow = execute('zonal_stats', (items) => ({
  item_id: items.noise,
  zones: manyZones(items),
  percentiles,
  bins: 150,
}))

const runTogether =
  (...runs: readonly Attack['run'][]): Attack['run'] =>
  async (target, until) => {
    const tally: OutcomeTally = new Map()
    for (const part of await Promise.all(runs.map((run) => run(target, until))))
      for (const [outcome, times] of part) countOutcome(tally, outcome, times)
    return tally
  }

/** An organization takes all that it may have: what another one asks for meanwhile begins all the same. */
const shareRows: readonly (readonly [name: string, run: Attack['run']])[] = [
  ['jobs for all slots', runJobs(longJobs)],
  ['statistics for all threads', runMethod(longStatistics)],
  ['jobs and statistics for all threads', runTogether(runJobs(longJobs), runMethod(longStatistics))],
]

const numbered = <Row>(rows: readonly Row[], nameOf: (row: Row) => string): (readonly [name: string, row: Row])[] =>
  rows.map((row, at) => {
    const before = rows.slice(0, at).filter((other) => nameOf(other) === nameOf(row)).length
    return [before === 0 ? nameOf(row) : `${nameOf(row)} ${before + 1}`, row]
  })

export const workAttacks: readonly Attack[] = [
  ...numbered(jobRows, ({ process_id }) => process_id).map(([name, row]) => ({
    name: `process ${name}`,
    run: runJobs(row),
    bounds: workBounds,
    reaches: row.refused === undefined ? /^job / : new RegExp(`^execute 422 ${row.refused}$`),
  })),
  ...numbered(methodRows, ({ name }) => name).map(([name, row]) => ({
    name: `method ${name}`,
    run: runMethod(row),
    bounds: workBounds,
    reaches: /^200$/,
  })),
  ...shareRows.map(([name, run]) => ({
    name: `share ${name}`,
    run,
    bounds: { ...workBounds, work: { max_statistics_ms: 3000, max_job_ms: 8000 } },
  })),
]

/** The processes and analytics methods that are attacked. */
export const attackedWork: ReadonlySet<string> = new Set([
  ...jobRows.map(({ process_id }) => process_id),
  ...methodRows.map(({ name }) => name),
])
