import { mkdir, writeFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder, waitFor, closeAtEnd } from '../../prove/harness/resources.ts'
import { grantCredits, startServer } from '../../prove/harness/server-process.ts'
import { alternate, median, timed, type Figure } from '../runner.ts'
import type { Client } from '@swath/client/client.ts'
import { createSceneItem, freeLicence, readDemoScene } from '../../prove/harness/demo-scene.ts'
import { readOrder } from '../../prove/harness/orders.ts'
import { runProgram } from '../../prove/harness/programs.ts'
import {
  collectionList,
  landingPage,
  stacItem,
  startTestServer,
  type TestServer,
} from '../../../packages/server/test/hosts/stac-server.ts'

/** A search over four hosts beside the slowest of them alone, and an order beside GDAL's COG of the same file. */
export async function benchCatalog(): Promise<readonly Figure[]> {
  await using folder = await createFolder('bench-catalog')
  await using servers = new AsyncDisposableStack()
  const hosts = await startHosts()
  for (const { server } of hosts) servers.use(closeAtEnd(server))
  const scene = await writeSceneArchive(join(folder.path, 'archive'))
  const file = join(folder.path, 'archive/hosts.json')
  await mkdir(join(folder.path, 'data'))
  await writeFile(file, JSON.stringify({ hosts: [...hostRows(hosts), scene.host] }))
  await using server = await startServer({ SWATH_DATA_DIR: join(folder.path, 'data'), CATALOG_HOSTS_FILE: file })
  await grantCredits(server.client)
  return [await measureFederation(server.client), await measureDelivery(server.client, scene)]
}

const side = 4096
const rounds = 5
const poll_ms = 20
/** The most time of an order beside the file: placing, tasks, journal, events. */
const allowance_ms = 200

interface SceneArchive {
  readonly host: object
  readonly geometry: object
  readonly path: string
}

/** An archive of one free scene: an aerial photograph of the demonstration, enlarged to 4096 × 4096 pixels of four bands. */
async function writeSceneArchive(folder: string): Promise<SceneArchive> {
  const scene = await readDemoScene()
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'scene.tif')
  const size = ['-outsize', `${side}`, `${side}`, '-r', 'cubic', '-co', 'TILED=YES']
  await runProgram('gdal_translate', ['-q', ...size, scene.path, path])
  const item = createSceneItem(scene, 'large-scene', new Date('2025-01-01T00:00:00Z'), './scene.tif')
  await writeFile(join(folder, 'scene.json'), JSON.stringify(item))
  const collections = [{ id: 'scenes', title: 'Scenes' }]
  const host = { kind: 'archive', name: 'shelf', title: 'Shelf', ...freeLicence, folder: '.', collections }
  return { host, geometry: scene.geometry, path }
}

/**
 * The time from placing an order to its delivery, and that of GDAL for a COG of the same file; they alternate. GDAL writes with
 * its default compression (LZW), in less than half the time that DEFLATE takes, which deliveries have.
 */
async function measureDelivery(client: Client, { geometry, path }: SceneArchive): Promise<Figure> {
  const [ours = [], theirs = []] = await alternate(
    rounds,
    () => timed(() => orderScene(client, geometry)),
    async () => {
      const target = `${path}.cog.tif`
      const took_ms = await timed(() => runProgram('gdal_translate', ['-q', '-of', 'COG', path, target]))
      await rm(target)
      return took_ms
    },
  )
  const [own_ms, peer_ms] = [median(ours), median(theirs)]
  console.log(`order to delivered ${own_ms.toFixed(0)} ms, gdal_translate -of COG ${peer_ms.toFixed(0)} ms`)
  return {
    name: 'order to delivered, less 200 ms / gdal_translate -of COG',
    value: (own_ms - allowance_ms) / peer_ms,
    must: 1.5,
    atMost: true,
  }
}

async function orderScene(client: Client, geometry: object): Promise<void> {
  const captures = [{ id: 'large-scene', geometry, host: 'shelf' }]
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures })
  const isDelivered = async () => (await readOrder(client, id)).status === 'FULFILLED'
  if (!(await waitFor(isDelivered, { timeout_ms: 60_000, poll_ms }))) throw new Error('the order was not delivered')
}

/** Times that public STAC APIs take for a page; the last one is the slowest. */
const delays_ms = [60, 120, 180, 250]
const scenes_per_host = 100
const search_rounds = 25
const warm_rounds = 5

interface DelayedHost {
  readonly name: string
  readonly server: TestServer
}

/** STAC APIs on this machine that answer a search after a fixed time. */
const startHosts = (): Promise<DelayedHost[]> =>
  Promise.all(
    delays_ms.map(async (delay_ms, at) => {
      const features = Array.from({ length: scenes_per_host }, (_, index) =>
        stacItem(`host-${at}-${index}`, new Date(Date.UTC(2025, 0, 1, index, at)).toISOString()),
      ).toReversed()
      const server = await startTestServer(({ path }, url) => {
        if (path === '/') return { body: landingPage(url) }
        if (path === '/collections') return { body: collectionList }
        return { delay_ms, body: { type: 'FeatureCollection', features, links: [] } }
      })
      return { name: `delayed-${at}`, server }
    }),
  )

const hostRows = (hosts: readonly DelayedHost[]): object[] =>
  hosts.map(({ name, server }) => ({
    kind: 'stac',
    name,
    title: name,
    ...freeLicence,
    url: server.url,
    allow_private: true,
  }))

/** Alternates, so that both meet the same machine. */
async function measureFederation(client: Client): Promise<Figure> {
  const source_ids = delays_ms.map((_, at) => `delayed-${at}`)
  const search = (operation: string, input: object) => () =>
    timed(async () => {
      const { features } = await client.call<{ features: unknown[] }>(operation, { limit: scenes_per_host, ...input })
      if (features.length !== scenes_per_host) throw new Error(`${operation} found ${features.length} scenes`)
    })
  const sides = [
    search('catalog.federated_search', { source_ids }),
    search('catalog.search', { host_name: source_ids.at(-1)! }),
  ]
  await alternate(warm_rounds, ...sides)
  const [together = [], alone = []] = await alternate(search_rounds, ...sides)
  console.log(
    `search over ${delays_ms.length} hosts ${median(together).toFixed(0)} ms, the slowest alone ${median(alone).toFixed(0)} ms`,
  )
  return {
    name: 'search over four hosts / the slowest alone',
    value: median(together) / median(alone),
    must: 1.1,
    atMost: true,
  }
}
