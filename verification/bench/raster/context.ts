import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startJsonLinesProcess, type JsonLinesProcess } from '../../oracle/json-lines-process.ts'
import { createServeCommand, requirePythonWithGdal } from '../../oracle/gdal.ts'
import { resolveBeside } from '../../prove/harness/programs.ts'

/** Shared by all cases: the scenes, the three contenders, and the number of rounds and tiles. */
export interface RasterBenchContext extends AsyncDisposable {
  readonly rounds: number
  /** Tiles of each zoom. */
  readonly tiles: number
  /** Path of a scene by its name. */
  readonly scene: (name: string) => string
  /** For files that are written and deleted. */
  readonly folder: string
  readonly ours: JsonLinesProcess
  readonly rioTiler: JsonLinesProcess
  readonly gdal: JsonLinesProcess
  /** Path of the program that inflates blocks and encodes images in C. */
  readonly limitProgram: string
  /** Starts a fresh process of ours, without caches. */
  readonly startOurs: () => JsonLinesProcess
}

interface RasterBenchOptions {
  readonly rounds: number
  readonly tiles: number
  /** Folders, filled if they are missing. */
  readonly scenes: string
  readonly peers: string
}

/** Version of `make-scenes.py`: scenes of another version are generated again. */
const recipeVersion = '1'

// Settings of titiler's own container, without those that slow local files down.
const titilerEnvironment = { GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR', GDAL_INGESTED_BYTES_AT_OPEN: '32768' }

/** Folder of scenes and peers, reused between runs. */
export const benchFolder = join(tmpdir(), 'swath-raster-bench')

/** Creates missing peers and scenes, and starts all contenders. */
export async function createContext({ rounds, tiles, scenes, peers }: RasterBenchOptions): Promise<RasterBenchContext> {
  const folder = join(benchFolder, 'work')
  for (const path of [benchFolder, folder]) mkdirSync(path, { recursive: true })
  if (!existsSync(join(peers, 'bin/python'))) run('bash', resolveFile('./install-peers.sh'), peers)
  const limit = join(benchFolder, 'limit')
  if (!existsSync(join(limit, 'limit'))) run('bash', resolveFile('./build-limit.sh'), limit)
  ensureScenes(scenes)
  const serve = (program: string, file: string, environment = {}): JsonLinesProcess =>
    startJsonLinesProcess(createServeCommand(program, new URL(file, import.meta.url), folder), environment)
  const startOurs = (): JsonLinesProcess => startJsonLinesProcess([process.execPath, resolveFile('./own-process.ts')])
  const ours = startOurs()
  const rioTiler = serve(join(peers, 'bin/python'), './peer-rio-tiler.py', titilerEnvironment)
  const gdal = serve(requirePythonWithGdal(), './peer-gdal.py')
  return {
    rounds,
    tiles,
    scene: (name) => join(scenes, name),
    folder,
    ours,
    rioTiler,
    gdal,
    limitProgram: join(limit, 'limit'),
    startOurs,
    [Symbol.asyncDispose]: async () => void (await Promise.all([ours, rioTiler, gdal].map(({ stop }) => stop()))),
  }
}

/** Generates the scenes unless they exist. */
export function ensureScenes(folder: string): void {
  if (!hasScenes(folder)) run(requirePythonWithGdal(), resolveFile('./make-scenes.py'), folder)
}

const resolveFile = (name: string): string => resolveBeside(import.meta.url, name)

function hasScenes(folder: string): boolean {
  const path = join(folder, 'scenes.json')
  return existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as { recipe: string }).recipe === recipeVersion
}

function run(program: string, ...args: string[]): void {
  console.log(`${args.join(' ')} …`)
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}
