import { cpus } from 'node:os'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTokenSource } from '@swath/client/tokens.ts'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import { readMemoryBytes } from '../../prove/harness/process-tree.ts'
import { createFolder } from '../../prove/harness/resources.ts'
import { resolveBeside } from '../../prove/harness/programs.ts'
import { createOperationCall, type HttpCall } from '../../prove/load/sender.ts'
import { startServer } from '../../prove/harness/server-process.ts'
import { alternate, describeMachine, median, ratiosOf, readOptions, type Figure } from '../runner.ts'
import { benchFolder, ensureScenes } from '../raster/context.ts'
import { chooseScatteredTiles, withOpenRaster, type TileAddress } from '../raster/tile-sets.ts'
import { createRequestBytes, measureThroughput, repeatFor } from '../socket-load.ts'
import { compareCitus } from './citus.ts'
import { compareCitusWorkers } from './citus-workers.ts'
import { startInstallation, type ScaleInstallation } from './installation.ts'
import { limitProcesses } from './processor-share.ts'
import { measureRequests, type RequestLoadResult } from './request-load.ts'

const min_second_process = 1.7
const min_cached_tile = 0.7
const callers = 8
/** For two processes, PostgreSQL and the load without a limit. */
const enough_cores = 6
const bare_connections = 16
const warm_up_ms = 3000
/** Of a core, for each PostgreSQL of a cluster. */
const worker_share = 0.1

interface ScaleOptions {
  readonly rounds: number
  /** Part of the names of the workloads to run; empty for all. */
  readonly only: string
  readonly duration_ms: number
  /** Instead of the share of each workload; 0 for no limit. */
  readonly share: number | null
}

/** Requests of one kind; `request` is called with the number of the round and of the request. */
interface Workload {
  readonly name: string
  /** Of a core, for each process on a machine of few cores: so little that two processes leave enough to PostgreSQL and the load. */
  readonly share: number
  /** Null ends the measurement before its time. */
  readonly request: (round: string, number: number) => HttpCall | null
  /** `cache`: the blocks or images that the requests need are in the caches; `none`: requests could not be cold a second time. */
  readonly warmUp: 'cache' | 'code' | 'none'
}

/**
 * Measures the gain of a second process: reads, searches, tiles and placements of orders over many wallets with one
 * process and with two, alternating; throughput, p50 and p99; cached tiles compared with a bare Fastify answer of the
 * same bytes; memory of each process. The load, PostgreSQL and both processes share the cores of this machine. With
 * fewer than about six cores these would be the bottleneck, so each process is limited to a share of one then, as
 * containers are: the throughput of two such shares is compared with that of one. `--share` of a core for all
 * workloads, 0 for no limit; `--rounds`, `--seconds` of each, `--items`, `--wallets`, `--only` a part of the name of a
 * workload. `--citus` compares calls on the cluster of `SWATH_TEST_CITUS` with those on one PostgreSQL instead, and `--citus-workers`
 * two of its workers with one.
 */
export async function benchScale(args: readonly string[]): Promise<readonly Figure[]> {
  const { values } = readOptions(args, {
    rounds: 5,
    seconds: 7,
    items: 5000,
    wallets: 16,
    only: '',
    share: cpus().length < enough_cores ? '' : '0',
    citus: false,
    'citus-workers': false,
    scenes: join(benchFolder, 'scenes'),
  })
  const { rounds, seconds, only, share, items, wallets } = values
  const duration_ms = 1000 * seconds
  if (values['citus-workers'])
    return compareCitusWorkers({ rounds, duration_ms, only, share: Number(share || worker_share), items })
  ensureScenes(values.scenes)
  const scene = join(values.scenes, 's2.tif')
  const tiles = await withOpenRaster(scene, (raster) => chooseScatteredTiles(raster, 13, 20_000).tiles)
  if (values.citus) return compareCitus({ items, wallets, scene }, rounds)
  const options = { rounds, only, duration_ms, share: share === '' ? null : Number(share) }
  console.log(`${describeMachine()}; ${rounds} rounds of ${seconds} s`)
  return withPostgresServer(async (server) => {
    await using installation = await startInstallation(server, { items, wallets, scene })
    return await measureAll(installation, tiles, options)
  })
}

async function measureAll(
  installation: ScaleInstallation,
  tiles: readonly TileAddress[],
  options: ScaleOptions,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { url } of installation.processes)
    await startRasterThread(`${url}${installation.tilePath(tiles[0]!, style)}`)
  // First, because the deliveries of orders that are placed go on after their measurement.
  figures.push(await compareCachedTile(installation, tiles[0]!, options))
  const names = (await createWorkloads(installation, tiles)).map(({ name }) => name)
  for (const chosen of names.filter((name) => name.includes(options.only))) {
    // Anew, because the tokens of users expire before the last of them is measured.
    const workload = (await createWorkloads(installation, tiles)).find(({ name }) => name === chosen)!
    figures.push(await compareProcesses(installation, workload, options))
  }
  for (const [index, { pid }] of installation.processes.entries())
    console.log(`memory of process ${index + 1}: ${await describeMemory(pid)}`)
  return figures
}

/** The first tile of a process waits for its thread, on a busy machine for longer than a tile may take. */
async function startRasterThread(tile_url: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const response = await fetch(tile_url)
    await response.arrayBuffer()
    if (response.ok) return
  }
  throw new Error('the first tile was not rendered')
}

const style = 'bands=3,2,1&rescale=0,3000'
/** So few that their decoded blocks and their encoded tiles stay in the caches. */
const hot_tiles = 32

async function createWorkloads(
  { processes, token, tenants, captures, tilePath }: ScaleInstallation,
  tiles: readonly TileAddress[],
): Promise<Workload[]> {
  const bearer = await token()
  // Orders need a user: an API key may not place them without a confirmation.
  const buyers = await Promise.all(tenants.map(({ login }) => createTokenSource(processes[0]!.url, login)()))
  const get = (path: string): HttpCall => ({ method: 'GET', path })
  const cold = tiles.slice(hot_tiles)
  let nextCold = 0
  let nextRendering = 0
  const corner = (number: number): number => ((number * 37) % 300) - 150
  return [
    {
      name: 'reads',
      share: 0.15,
      warmUp: 'code',
      request: () => createOperationCall('billing.credits.balance', {}, bearer),
    },
    {
      name: 'searches',
      share: 0.1,
      warmUp: 'code',
      request: (_round, number) => {
        const west = corner(number)
        return createOperationCall('stac.search', { bbox: [west, -40, west + 20, 60], limit: 10 }, bearer)
      },
    },
    {
      name: 'tiles, cold',
      share: 0.12,
      warmUp: 'none',
      request: () => {
        const tile = cold[nextCold++]
        return tile ? get(tilePath(tile, style)) : null
      },
    },
    {
      name: 'tiles, warm blocks',
      share: 0.35,
      // Another rendering each time, of the same blocks: an image that was rendered before would come from the cache.
      request: (_round, number) =>
        get(tilePath(tiles[number % hot_tiles]!, `bands=3,2,1&rescale=0,${3000 + nextRendering++}`)),
      warmUp: 'cache',
    },
    {
      name: 'tiles, cached',
      share: 0.15,
      request: (_round, number) => get(tilePath(tiles[number % hot_tiles]!, style)),
      warmUp: 'cache',
    },
    {
      name: `placements over ${buyers.length} wallets`,
      share: 0.3,
      warmUp: 'code',
      request: (round, number) => {
        const call = createOperationCall('orders.archive.place', { captures }, buyers[number % buyers.length]!)
        return { ...call, headers: { ...call.headers, 'idempotency-key': `scale-${round}-${number}` } }
      },
    },
  ]
}

async function compareProcesses(
  { processes }: ScaleInstallation,
  workload: Workload,
  { rounds, duration_ms, share }: ScaleOptions,
): Promise<Figure> {
  const urls = processes.map(({ url }) => url)
  for (const url of urls) await warmUpProcess(url, workload)
  const limit = share ?? workload.share
  const endLimits = await limitProcesses(
    processes.map(({ pid }) => pid),
    limit,
  )
  const measure = (used: readonly string[]) => (round: number) => {
    const request = (number: number): HttpCall | null => workload.request(`${round}-${used.length}`, number)
    return measureRequests({ urls: used, request, callers, duration_ms })
  }
  const results = await alternate(rounds, measure(urls.slice(0, 1)), measure(urls)).finally(endLimits)
  const [one = [], two = []] = results.map((side) => side.map(({ per_s }) => per_s))
  const ratios = ratiosOf(two, one)
  console.log(
    `${workload.name}, ${describeLimit(limit)}, ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`,
  )
  for (const [index, side] of results.entries()) {
    const of = (key: keyof RequestLoadResult): number => median(side.map((result) => result[key]))
    console.log(
      `${workload.name}, ${index === 0 ? 'one process' : 'two processes'}: ${of('per_s').toFixed(0)}/s, p50 ${of('p50_ms').toFixed(1)} ms, p99 ${of('p99_ms').toFixed(1)} ms, ${of('failed')} failed`,
    )
  }
  return { name: `scale: ${workload.name}: two processes / one`, value: median(ratios), must: min_second_process }
}

const describeLimit = (share: number): string => (share === 0 ? 'no limit' : `${share} of a core for each`)

/**
 * Warms up a process without a limit until its code is compiled: with a small share of a core that takes longer than a
 * round. Requests for the caches come first.
 */
async function warmUpProcess(url: string, { request, warmUp }: Workload): Promise<void> {
  if (warmUp === 'none') return
  const load = { urls: [url], isWarmUp: true, callers: 2 }
  const requestCached = (number: number): HttpCall | null => (number < hot_tiles ? request('warm', number) : null)
  if (warmUp === 'cache') await measureRequests({ ...load, request: requestCached, duration_ms: 60_000 })
  await measureRequests({ ...load, request: (number) => request(`warm-${url}`, number), duration_ms: warm_up_ms })
}

/** One process against Fastify with one route that sends the bytes of the tile. */
async function compareCachedTile(
  { processes, tilePath }: ScaleInstallation,
  tile: TileAddress,
  { rounds, duration_ms }: ScaleOptions,
): Promise<Figure> {
  const { url } = processes[0]!
  const path = tilePath(tile, style)
  const response = await fetch(`${url}${path}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  await using folder = await createFolder('scale-tile')
  const image = join(folder.path, 'tile.png')
  await writeFile(image, bytes)
  await using bare = await startServer({ BARE_IMAGE: image }, resolveBeside(import.meta.url, '../bare-server.ts'))
  const targets = [
    { url, request: createRequestBytes(url, { method: 'GET', path }) },
    { url: bare.url, request: createRequestBytes(bare.url, { method: 'POST', path: '/bare' }) },
  ]
  const sides = targets.map((target) => () => {
    const nextRequest = repeatFor(duration_ms, target.request)
    return measureThroughput({ url: target.url, connections: bare_connections, nextRequest })
  })
  const [rates = [], bareRates = []] = await alternate(rounds, ...sides)
  for (const [round, rate] of rates.entries())
    console.log(
      `cached tile of ${bytes.length} bytes: bare ${bareRates[round]!.toFixed(0)}/s, ours ${rate.toFixed(0)}/s`,
    )
  const value = median(ratiosOf(rates, bareRates))
  return { name: 'scale: cached tile / bare answer of the same bytes', value, must: min_cached_tile }
}

/** Resident memory now and at its highest. */
async function describeMemory(pid: number): Promise<string> {
  const read = async (name: 'VmRSS' | 'VmHWM') => ((await readMemoryBytes(pid, name)) / 2 ** 20).toFixed(0)
  return `${await read('VmRSS')} MiB, at most ${await read('VmHWM')} MiB`
}
