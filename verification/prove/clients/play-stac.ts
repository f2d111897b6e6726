import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { fileURLToPath } from 'node:url'
import { resolveBeside } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { startServer } from '../harness/server-process.ts'
import type { ReportLine } from './client-report.ts'
import { runPlay } from './run-play.ts'
import { startRequestCounter, type RequestCounts } from './request-counter.ts'
import { createStacScenario, type StacScenario } from './stac-scenario.ts'

/** The programs that read the same server, each in a process of its own. */
const readers = ['pystac_client', 'eodag', 'odc_stac', 'stackstac', 'rio_tiler', 'owslib'] as const

const offlineFolder = fileURLToPath(new URL('../../../tools/stac-validator/offline', import.meta.url))
const schemasFolder = fileURLToPath(new URL('../../../fixtures/schemas', import.meta.url))

/** Readers of STAC find, page, read and change what a server has, through a proxy that counts their requests. Returns their lines. */
export const playStacReaders = (environment: string): Promise<ReportLine[]> =>
  withCountedServer(async (counted) => {
    const lines: ReportLine[] = []
    for (const reader of readers) {
      await using home = await createFolder('clients-home')
      const played = runPlay(join(environment, 'bin', 'python'), {
        arguments: [resolveBeside(import.meta.url, './play_stac.py')],
        // A home of its own: eodag keeps its settings there. Schemas are read from a folder instead of their addresses.
        environment: { HOME: home.path, PYTHONPATH: offlineFolder, SWATH_SCHEMAS: schemasFolder },
        request: { reader, folder: home.path, ...counted.request },
      })
      lines.push(...(await counted.count(played)))
    }
    return lines
  })

/** Where the script of QGIS is in its folder. */
const playFolder = '/play'

/** QGIS reads a server in the folder of another Debian, which has its own copy of the script and of what it compares with. */
export const playQgis = (environment: string): Promise<ReportLine[]> =>
  withCountedServer(async ({ request, count }) => {
    const play = join(environment, playFolder)
    // QGIS keeps settings and answers in its home: those of an earlier run would be read instead of the server.
    await rm(play, { recursive: true, force: true })
    await mkdir(join(play, 'home'), { recursive: true })
    await cp(fileURLToPath(new URL('.', import.meta.url)), play, { recursive: true })
    await cp(request.image.path, join(play, 'image.tif'))
    const image = { ...request.image, path: join(playFolder, 'image.tif') }
    return count(
      runPlay('chroot', {
        arguments: [environment, 'python3', join(playFolder, 'qgis', 'play_qgis.py')],
        environment: { PYTHONPATH: playFolder, HOME: join(playFolder, 'home') },
        request: { ...request, image },
      }),
    )
  })

interface CountedServer {
  /** What each script reads. */
  readonly request: StacScenario & { readonly address: string }
  /** The lines of a client, with those of its requests. */
  count(played: Promise<ReportLine[]>): Promise<ReportLine[]>
}

/** A server with things to read, behind a proxy that counts requests. */
async function withCountedServer(play: (counted: CountedServer) => Promise<ReportLine[]>): Promise<ReportLine[]> {
  await using folder = await createFolder('clients')
  await using proxy = await startRequestCounter()
  await using server = await startServer({
    SWATH_DATA_DIR: folder.path,
    PORT: String(await freePort()),
    BASE_URL: proxy.url,
  })
  proxy.setTarget(server.url)
  const request = { address: proxy.url, ...(await createStacScenario(server.client)) }
  const count: CountedServer['count'] = async (played) => {
    proxy.takeCounts()
    const lines = await played
    return [...lines, ...describeRequests(lines[0]?.client ?? 'nobody', proxy.takeCounts())]
  }
  // Awaited here: the server ends with this function.
  return await play({ request, count })
}

/** The requests of the client that has just ended, and whether the server failed at one. */
function describeRequests(client: string, { kinds, serverErrors }: RequestCounts): ReportLine[] {
  return [
    ...[...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([request, count]) => ({ client, request, ...count })),
    {
      client,
      capability: 'no server error',
      passed: kinds.size > 0 && serverErrors.length === 0,
      detail: kinds.size > 0 ? serverErrors.join('; ') : 'nothing was requested',
    },
  ]
}
