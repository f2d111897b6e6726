import { cp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '@swath/client/client.ts'
import type { CatalogFeature, FederatedSearchResult, OrderEstimate } from '@swath/client/operations.ts'
import { printConnectionFile } from '../../../apps/console/src/qgis/connection-file.ts'
import { printLayerDefinition } from '../../../apps/console/src/qgis/layer-definition.ts'
import { readTileLayers } from '../../../apps/console/src/qgis/read-tile-layers.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { allowDevice } from '../harness/allow-device.ts'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { administrator, grantCredits, startServer, type ServerProcess } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { printTable, type ReportLine } from '../clients/client-report.ts'
import { runPlay } from '../clients/run-play.ts'
import { createStacScenario } from '../clients/stac-scenario.ts'

/** Folder in which QGIS is installed, that of `npm run prove -- clients`. */
const defaultFolder = (): string => join(tmpdir(), 'swath-clients')
/** Where the scripts are in the folder of QGIS's system. */
const playFolder = '/play-plugin'
const pluginFolder = fileURLToPath(new URL('../../../packages/qgis/swath', import.meta.url))

/** Two small scenes beside each other, at a host with prices, and their surroundings. */
const bbox = [-78.004, 36.62, -77.996, 36.624]
const chosen = 'naip-va-17n'
const second = 'naip-va-18n'

/**
 * QGIS of Debian without windows, against a started server: its own STAC client opens a file of the signed catalogue, and every action
 * of the plugin is driven by a script that compares its results. Pictures of the windows are saved in a folder that is printed. Also
 * judges that the plugin names enumerations as Qt 6 does, and runs with Python 3.9. `data` is the folder of the clients, in which QGIS is installed if missing.
 */
export async function proveQgis({ data }: ProofOptions): Promise<ProofResult> {
  const installer = resolveBeside(import.meta.url, '../clients/qgis/install.sh')
  const system = join(data ?? defaultFolder(), 'qgis')
  await runProgram('bash', [installer, system])
  await using folder = await createFolder('qgis')
  await using server = await startServer({ SWATH_DATA_DIR: folder.path, PORT: String(await freePort()) })
  const play = await copyScripts(system)
  const start_ms = performance.now()
  await testParts(system)
  const findings = [...(await judgeSources(system, 'qt6')), ...(await judgeSources(system, 'python39'))]
  const lines = [...(await playWithoutPlugin(server, system, play)), ...(await playPlugin(server, system))]
  const pictures = join(tmpdir(), 'swath-qgis-pictures')
  await rm(pictures, { recursive: true, force: true })
  await cp(join(play, 'pictures'), pictures, { recursive: true })
  printTable(lines)
  const outcomes = lines.filter((line) => line.capability !== undefined)
  const failed = outcomes.filter(({ passed }) => !passed)
  const seconds = Math.round((performance.now() - start_ms) / 1000)
  return {
    tried: `${outcomes.length} actions in QGIS, and ${findings.length} findings about Qt 6 and Python 3.9, in ${seconds} s; pictures in ${pictures}`,
    violations: [
      ...findings.map((finding) => `Qt 6 or Python 3.9: ${finding}`),
      ...failed.map(({ client, capability, detail }) => `${client}: ${capability}: ${detail}`),
    ],
  }
}

/** The scripts, those that they share with other clients, and the plugin, in the folder of the system. Returns where. */
async function copyScripts(system: string): Promise<string> {
  const play = join(system, playFolder)
  await rm(play, { recursive: true, force: true })
  for (const folder of ['plugins', 'judge', 'without-plugin', 'with-plugin'])
    await mkdir(join(play, folder), { recursive: true, mode: 0o700 })
  await cp(fileURLToPath(new URL('.', import.meta.url)), play, { recursive: true })
  await cp(resolveBeside(import.meta.url, '../clients/report.py'), join(play, 'report.py'))
  await cp(pluginFolder, join(play, 'plugins', 'swath'), { recursive: true })
  return play
}

/** A home of its own for each script: QGIS keeps its settings and its secrets there. */
const environmentOf = (home: string) => ({
  HOME: `${playFolder}/${home}`,
  XDG_RUNTIME_DIR: `${playFolder}/${home}`,
  PYTHONPATH: playFolder,
})

const judgeSources = (system: string, judge: 'qt6' | 'python39'): Promise<string[]> =>
  runProgram('chroot', [system, 'python3', `${playFolder}/judge_${judge}.py`, `${playFolder}/plugins/swath`], {
    ...process.env,
    ...environmentOf('judge'),
  })

/** Tests of parts of the plugin that need no server; throws with their output if one fails. */
const testParts = (system: string): Promise<string[]> =>
  runProgram('chroot', [system, 'python3', `${playFolder}/test_plugin.py`], {
    ...process.env,
    ...environmentOf('judge'),
  })

async function playWithoutPlugin({ client, url }: ServerProcess, system: string, play: string): Promise<ReportLine[]> {
  const scenario = await createStacScenario(client)
  await cp(scenario.image.path, join(play, 'image.tif'))
  const files = await printConsoleFiles(client, url, [scenario.image.id, ...scenario.bands.map(({ id }) => id)])
  return runPlay('chroot', {
    arguments: [system, 'python3', `${playFolder}/play_stac.py`],
    environment: environmentOf('without-plugin'),
    request: { address: url, ...scenario, ...files, image: { ...scenario.image, path: `${playFolder}/image.tif` } },
  })
}

/** The files that the console offers for items. */
async function printConsoleFiles(client: Client, url: string, ids: readonly string[]) {
  const items = ids.map((id, index) => ({ id, name: `Layer <${index}> & more` }))
  const layers = await readTileLayers(client, items)
  return {
    qlr: printLayerDefinition('Scenes', layers),
    qlr_layers: layers.map(({ name }) => name),
    connections: {
      stac: printConnectionFile('stac', 'loaded', `${url}/signed/assets/stac`),
      features: printConnectionFile('features', 'loaded', `${url}/assets/stac`),
    },
  }
}

async function playPlugin(server: ServerProcess, system: string): Promise<ReportLine[]> {
  const { client, url } = server
  await grantCredits(client)
  const access = { name: 'QGIS', permissions: ['can_read', 'can_write', 'can_process'] }
  const { key: token } = await client.call<{ key: string }>('api_keys.create', access)
  const request = {
    address: url,
    token,
    email: administrator.username,
    pictures: `${playFolder}/pictures`,
    scenes: await readExpectedScenes(client),
  }
  return runPlay('chroot', {
    arguments: [system, 'python3', `${playFolder}/play_plugin.py`],
    environment: environmentOf('with-plugin'),
    request,
    onLine: async (line) => {
      if (typeof line['user_code'] === 'string') await allowDevice(url, line['user_code'])
    },
  })
}

/** What the API says of the scenes that the plugin searches, prices and buys. */
async function readExpectedScenes(client: Client) {
  const [west, south, east, north] = bbox as [number, number, number, number]
  const corners = [[west, south], [east, south], [east, north], [west, north], [west, south]] // prettier-ignore
  const area = { type: 'Polygon', coordinates: [corners] }
  const { features } = await client.call<FederatedSearchResult>('catalog.federated_search', {
    intersects: area,
    limit: 200,
  })
  const find = (id: string): CatalogFeature => features.find((feature) => feature.id === id)!
  const part = createInnerArea(find(chosen).bbox as [number, number, number, number])
  const estimate = (scene: CatalogFeature, geometry: object): Promise<OrderEstimate> =>
    client.call('orders.archive.estimate', {
      captures: [{ id: scene.id, host: String(scene.properties['host']), geometry }],
      exclude_owned: true,
    })
  return {
    bbox,
    place: '36.622 -77.9985',
    chosen,
    second,
    credits: Object.fromEntries(features.map(({ id, 'service:price': price }) => [id, price?.credits ?? null])),
    part,
    part_credits: (await estimate(find(chosen), part)).total_credits,
    second_credits: (await estimate(find(second), find(second).geometry!)).total_credits,
  }
}

/** The inner half of a box. */
function createInnerArea([west, south, east, north]: readonly [number, number, number, number]) {
  const [width, height] = [(east - west) / 4, (north - south) / 4]
  const [left, bottom, right, top] = [west + width, south + height, east - width, north - height]
  return {
    type: 'Polygon',
    coordinates: [[[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]], // prettier-ignore
  }
}
