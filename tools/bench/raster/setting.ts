import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { converse } from '../../oracle/conversation.ts'
import type { Conversation } from '../../oracle/conversation.ts'
import { INSTALL_GDAL, pythonServing, pythonWithGdal } from '../../oracle/gdal.ts'

/** Shared by all cases: the scenes, the three contenders, and the number of rounds and tiles. */
export interface Setting {
  readonly rounds: number
  /** Tiles of each zoom. */
  readonly tiles: number
  /** Path of a scene by its name. */
  readonly scene: (name: string) => string
  /** For files that are written and deleted. */
  readonly folder: string
  readonly ours: Conversation
  readonly rioTiler: Conversation
  readonly gdal: Conversation
  /** Starts a fresh process of ours, without caches. */
  readonly startOurs: () => Conversation
}

export interface SettingOptions {
  readonly rounds: number
  readonly tiles: number
  readonly scenes?: string | undefined
  readonly peers?: string | undefined
}

/** Version of `make-scenes.py`: scenes of another version are generated again. */
const RECIPE = '1'

// Settings of titiler's own container, without those that slow local files down.
const LIKE_TITILER = { GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR', GDAL_INGESTED_BYTES_AT_OPEN: '32768' }

/** Folder of scenes and peers, reused between runs. */
export const home = join(tmpdir(), 'swath-raster-bench')

/** Creates what is missing (peers, scenes) and starts all contenders. */
export async function prepare(options: SettingOptions): Promise<Setting> {
  const scenes = options.scenes ?? join(home, 'scenes')
  const peers = options.peers ?? join(home, 'peers')
  const folder = join(home, 'work')
  for (const path of [home, folder]) mkdirSync(path, { recursive: true })
  if (!existsSync(join(peers, 'bin/python'))) run('bash', fileOf('./install-peers.sh'), peers)
  const python = pythonWithGdal()
  if (python === null) throw new Error(INSTALL_GDAL)
  readyScenes(scenes, python)
  const serve = (program: string, file: string, environment = {}): Conversation =>
    converse(pythonServing(program, new URL(file, import.meta.url), folder), environment)
  const startOurs = (): Conversation => converse([process.execPath, fileOf('./ours.ts')])
  return {
    rounds: options.rounds,
    tiles: options.tiles,
    scene: (name) => join(scenes, name),
    folder,
    ours: startOurs(),
    rioTiler: serve(join(peers, 'bin/python'), './peer-rio-tiler.py', LIKE_TITILER),
    gdal: serve(python, './peer-gdal.py'),
    startOurs,
  }
}

/** Generates the scenes unless they exist. */
export function readyScenes(folder: string, python: string): void {
  if (!hasScenes(folder)) run(python, fileOf('./make-scenes.py'), folder)
}

export async function endSetting({ ours, rioTiler, gdal }: Setting): Promise<void> {
  await Promise.all([ours.end(), rioTiler.end(), gdal.end()])
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

function hasScenes(folder: string): boolean {
  const path = join(folder, 'scenes.json')
  return existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as { recipe: string }).recipe === RECIPE
}

function run(program: string, ...words: string[]): void {
  console.log(`${words.join(' ')} …`)
  const { status } = spawnSync(program, words, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}`)
}
