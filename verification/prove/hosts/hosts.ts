import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import type { TestServer } from '../../../packages/server/test/hosts/stac-server.ts'
import { installPgstac, loadFiles, pgstacCollection, servePgstac } from '../../bench/search/pgstac.ts'
import {
  createSceneItem,
  freeLicence,
  readDemoScene,
  serveDemoScene,
  type DemoSceneFile,
} from '../harness/demo-scene.ts'
import { placeOrder, waitForDeliveries } from '../harness/orders.ts'
import { startCiService } from '../harness/programs.ts'
import { createFolder, closeAtEnd } from '../harness/resources.ts'
import { startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'

const delivery_ms = 60_000

/**
 * Searches and buys from a real STAC API: stac-fastapi with pgstac on a temporary PostgreSQL, whose items refer to files of a
 * server on this machine. Every scene is found once over many pages, newest first; one is bought and delivered.
 */
export async function proveHosts({ short }: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('hosts')
  const scene = await readDemoScene()
  await using files = closeAtEnd(await serveDemoScene(scene))
  await using database = await startCiService('postgres.sh')
  const installation = { folder: join(tmpdir(), 'swath-peers'), url: database.url }
  const count = short ? 60 : 600
  installPgstac(installation.folder)
  const [collections, lines] = [join(folder.path, 'collections.ndjson'), join(folder.path, 'items.ndjson')]
  await writeFile(collections, JSON.stringify(pgstacCollection('scenes', 'Scenes')))
  const items = createItems(scene, files, count)
  await writeFile(lines, items.map((item) => JSON.stringify(item)).join('\n'))
  loadFiles(installation, collections, lines)
  await using api = await servePgstac(installation, 4)
  const hostsFile = join(folder.path, 'hosts.json')
  await writeFile(hostsFile, JSON.stringify({ hosts: [describeHost(api.url, files.url)] }))
  await using server = await startServer({ SWATH_DATA_DIR: join(folder.path, 'data'), CATALOG_HOSTS_FILE: hostsFile })
  return await searchAndBuy(server.client, count)
}

/** Items of which three share each time, in an order that is not that of their times. */
const createItems = (scene: DemoSceneFile, { url, bytes }: TestServer & { readonly bytes: number }, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = `scene-${String((index * 37) % count).padStart(4, '0')}`
    const time = new Date(Date.UTC(2025, 0, 1 + Math.floor(index / 3)))
    const item = createSceneItem(scene, id, time, `${url}/scene.tif`)
    const properties = { ...item.properties, 'eo:cloud_cover': index % 100 }
    return { ...item, properties, assets: { visual: { ...item.assets.visual, 'file:size': bytes } } }
  })

const describeHost = (url: string, files: string) => ({
  kind: 'stac',
  name: 'fastapi',
  title: 'stac-fastapi',
  ...freeLicence,
  url,
  allow_private: true,
  private_origins: [files],
})

interface SearchPage {
  readonly features: readonly {
    readonly id: string
    readonly geometry: object
    readonly properties: { readonly datetime: string }
  }[]
  readonly next?: string
}

async function searchAndBuy(client: Client, count: number): Promise<ProofResult> {
  const violations: string[] = []
  const check = (isTrue: boolean, message: string): void => void (isTrue || violations.push(message))
  const { sources } = await client.call<{ sources: { id: string; status: string; collections: object[] }[] }>(
    'catalog.sources.list',
    {},
  )
  const source = sources.find(({ id }) => id === 'fastapi')
  check(source?.status === 'available' && source.collections.length === 1, `the source is ${JSON.stringify(source)}`)

  const found: SearchPage['features'][number][] = []
  let pages = 0
  for (let next: string | undefined; ;) {
    const page = await client.call<SearchPage>('catalog.search', {
      host_name: 'fastapi',
      limit: 25,
      ...(next ? { next } : {}),
    })
    found.push(...page.features)
    pages += 1
    next = page.next
    if (!next || pages > count) break
  }
  check(found.length === count, `${found.length} of ${count} scenes were found`)
  check(new Set(found.map(({ id }) => id)).size === found.length, 'a scene was found twice')
  const keys = found.map(({ id, properties }) => [properties.datetime, id] as const)
  const isSorted = keys.every(([time, id], index) => {
    const before = keys[index - 1]
    return !before || before[0] > time || (before[0] === time && before[1] < id)
  })
  check(isSorted, 'the scenes are not in order')

  const capture = { id: found[0]!.id, geometry: found[0]!.geometry, host: 'fastapi' }
  const placement = { key: 'hosts', captures: [capture], credits: 0, order: null as string | null }
  await placeOrder(client, placement)
  violations.push(...(await waitForDeliveries(client, [placement], delivery_ms)))
  const { features } = await client.call<{ features: { assets: Record<string, unknown> }[] }>('orders.list_assets', {
    order_id: placement.order,
  })
  check('visual' in (features[0]?.assets ?? {}), 'the delivered item has no data')
  return { tried: `${count} scenes of stac-fastapi in ${pages} pages, one bought`, violations }
}
