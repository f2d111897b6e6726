import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import {
  createBox,
  createSceneItem,
  freeLicence,
  readDemoScene,
  serveDemoScene,
  type DemoSceneFile,
} from '../harness/demo-scene.ts'
import { resolveBeside, runProgram, startService } from '../harness/programs.ts'
import { createFolder, closeAtEnd } from '../harness/resources.ts'
import { startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'

const pathOf = (name: string): string => resolveBeside(import.meta.url, name)

/** Folder with the public server and models, also for `.ci/run`. */
const defaultFolder = (): string => join(tmpdir(), 'swath-stapi')

/**
 * A program on the public models of STAPI walks the interface of a started server and buys from a provider behind it, which
 * runs on the public stapi-fastapi: at once, and after an asynchronous search. The response to the first order of each product
 * is lost, and none is placed twice. `data` is the folder of the public programs, which are installed if missing.
 */
export async function proveStapi({ data, short }: ProofOptions): Promise<ProofResult> {
  const programs = data ?? defaultFolder()
  await runProgram('bash', [pathOf('./install.sh'), programs])
  const python = join(programs, 'python/bin/python')
  await using folder = await createFolder('stapi-proof')
  const scene = await readDemoScene()
  await using files = closeAtEnd(await serveDemoScene(scene))
  const acquired = createSceneItem(scene, 'acquired', new Date(), `${files.url}/scene.tif`)
  const item = { ...acquired, collection: undefined, properties: { ...acquired.properties, 'eo:cloud_cover': 3 } }
  const port = String(await freePort())
  await using provider = await startService({
    program: python,
    args: ['-m', 'uvicorn', 'provider:app', '--app-dir', pathOf('.'), '--port', port, '--log-level', 'warning'],
    environment: { ITEM: JSON.stringify(item) },
    url: `http://127.0.0.1:${port}`,
  })
  const hostsFile = join(folder.path, 'hosts.json')
  await writeFile(hostsFile, JSON.stringify({ hosts: [describeHost(provider.url, files.url)] }))
  await using server = await startServer({ SWATH_DATA_DIR: join(folder.path, 'data'), CATALOG_HOSTS_FILE: hostsFile })
  const products = short ? ['Optical'] : ['Optical', 'Radar']
  const walk = { url: `${server.url}/stapi`, token: await server.token(), area: createArea(scene), products }
  const lines = await runProgram(python, [pathOf('./walk.py'), JSON.stringify(walk)])
  const placed = await countOrders(provider.url)
  const twice = placed === products.length ? [] : [`the provider has ${placed} orders instead of ${products.length}`]
  const answers = lines.find((line) => line.startsWith('answers '))
  return {
    tried: `${answers ?? 'no answers'} validated with stapi-pydantic, ${products.length} orders at stapi-fastapi`,
    violations: [...lines.filter((line) => line !== answers), ...twice],
  }
}

/** An area within the scene that every order delivers. */
function createArea({ bbox: [west, south, east, north] }: DemoSceneFile): object {
  const [width, height] = [(east - west) / 5, (north - south) / 5]
  return createBox(west + 2 * width, south + 2 * height, east - 2 * width, north - 2 * height)
}

const describeHost = (url: string, files: string) => {
  const price = { product: 'Tasking', rate_credits: 100, minimum_km2: 1, licences: ['standard'] }
  const product = { price, max_area_km2: 1000, order_parameters: { delivery: 'link' } }
  return {
    kind: 'stapi',
    name: 'provider',
    title: 'stapi-fastapi',
    ...freeLicence,
    url,
    allow_private: true,
    private_origins: [files],
    poll_s: 1,
    sensors: [{ id: 'camera', title: 'A camera', gsd_m: 1, swath_km: 10, max_off_nadir_deg: 30 }],
    products: [
      { id: 'optical', ...product },
      { id: 'radar', ...product },
    ],
  }
}

/** Read after the walk, which asks the interface alone. */
async function countOrders(url: string): Promise<number> {
  const page = (await (await fetch(`${url}/orders?limit=100`)).json()) as { readonly features: readonly unknown[] }
  return page.features.length
}
