import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Client } from '@swath/client'
import type { Figure } from '../figure.ts'
import { median } from '../median.ts'

const run = promisify(execFile)
const demo = new URL('../../../packages/server/demo/', import.meta.url)
const side = 4096
const rounds = 5
const poll_ms = 20
/** The most time of an order beside the file: placing, tasks, journal, events. */
const allowance_ms = 200

export interface SceneArchive {
  readonly host: object
  readonly geometry: object
  readonly path: string
}

interface DemoScene {
  readonly id: string
  readonly geometry: object
  readonly bbox: readonly number[]
  readonly assets: readonly { readonly files: readonly { readonly path: string }[] }[]
}

/** An archive of one free scene: an aerial photograph of the demonstration, enlarged to 4096 × 4096 pixels of four bands. */
export async function writeSceneArchive(folder: string): Promise<SceneArchive> {
  const { scenes } = JSON.parse(await readFile(new URL('scenes.json', demo), 'utf8')) as { scenes: DemoScene[] }
  const { geometry, bbox, assets } = scenes.find(({ id }) => id === 'naip-va-17n')!
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'scene.tif')
  const source = fileURLToPath(new URL(`scenes/${assets[0]!.files[0]!.path}`, demo))
  await run('gdal_translate', ['-q', '-outsize', `${side}`, `${side}`, '-r', 'cubic', '-co', 'TILED=YES', source, path])
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id: 'large-scene',
    collection: 'scenes',
    geometry,
    bbox,
    properties: { datetime: '2025-01-01T00:00:00Z' },
    links: [],
    assets: { data: { href: './scene.tif', type: 'image/tiff; application=geotiff', roles: ['data'] } },
  }
  await writeFile(join(folder, 'scene.json'), JSON.stringify(item))
  const licence = { license: 'CC0-1.0', license_url: 'https://creativecommons.org/publicdomain/zero/1.0/' }
  const host = {
    kind: 'archive',
    name: 'shelf',
    title: 'Shelf',
    ...licence,
    attribution: 'Test data',
    folder: '.',
    collections: [{ id: 'scenes', title: 'Scenes' }],
  }
  return { host, geometry, path }
}

/**
 * The time from placing an order to its delivery, and that of GDAL for a COG of the same file; they alternate. GDAL writes with
 * its default compression (LZW), in less than half the time that DEFLATE takes, which deliveries have.
 */
export async function measureDelivery(client: Client, { geometry, path }: SceneArchive): Promise<Figure> {
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await orderScene(client, geometry))
    theirs.push(await translate(path))
  }
  const [own_ms, peer_ms] = [median(ours), median(theirs)]
  console.log(`order to delivered ${own_ms.toFixed(0)} ms, gdal_translate -of COG ${peer_ms.toFixed(0)} ms`)
  return {
    name: 'order to delivered, less 200 ms / gdal_translate -of COG',
    value: (own_ms - allowance_ms) / peer_ms,
    must: 1.5,
    atMost: true,
  }
}

async function orderScene(client: Client, geometry: object): Promise<number> {
  const start = performance.now()
  const captures = [{ id: 'large-scene', geometry, host: 'shelf' }]
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures })
  for (;;) {
    const { status } = await client.call<{ status: string }>('orders.get', { order_id: id })
    if (status === 'FULFILLED') return performance.now() - start
    if (status === 'FAILED_PERMANENTLY') throw new Error('the order failed')
    await pause(poll_ms)
  }
}

async function translate(path: string): Promise<number> {
  const target = `${path}.cog.tif`
  const start = performance.now()
  await run('gdal_translate', ['-q', '-of', 'COG', path, target])
  const took_ms = performance.now() - start
  await rm(target)
  return took_ms
}
