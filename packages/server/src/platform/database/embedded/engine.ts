import fs from 'node:fs'
import path from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { dataDir } from '@electric-sql/pglite-prepopulatedfs'
import { selectBundleEntries } from './bundle.ts'
import type { DatabaseEngineOptions } from './messages.ts'

/** The functions of the compiled server's file system (Emscripten FS) that copying needs. */
interface ServerFiles {
  mkdirTree(path: string): void
  writeFile(path: string, data: Uint8Array, options: { canOwn: boolean }): void
  chmod(path: string, mode: number): void
}

/** The server refuses to start on a data folder that others may read. */
const folder_mode = 0o700

function copyInto(files: ServerFiles, from: string, to: string): void {
  files.mkdirTree(to)
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), `${to}/${entry.name}`]
    if (entry.isDirectory()) copyInto(files, source, target)
    else {
      // Not a Buffer: its slices share bytes where the file system expects copies.
      const { buffer, byteOffset, length } = fs.readFileSync(source)
      files.writeFile(target, new Uint8Array(buffer, byteOffset, length), { canOwn: true })
    }
  }
}

/** An in-memory file system that starts as a copy of the data folder `dir`. Nothing is written back. */
function createMemoryFileSystem(dir: string): NonNullable<PGliteOptions['fs']> {
  let engine: PGlite | undefined
  return {
    init: async (startedEngine, emscriptenOpts) => {
      engine = startedEngine
      return { emscriptenOpts }
    },
    initialSyncFs: async () => {
      const files = engine!.Module.FS as unknown as ServerFiles
      copyInto(files, dir, PGlite.paths.PGDATA)
      files.chmod(PGlite.paths.PGDATA, folder_mode)
    },
    syncToFs: async () => {},
    dumpTar: () => Promise.reject(new Error('an in-memory database cannot be exported')),
    closeFs: async () => {},
  }
}

/** An open file of the Node file system in the compiled server; a directory has no descriptor. */
interface OpenFile {
  readonly nfd?: number
  readonly node: unknown
}

interface FileSystems {
  readonly FS: {
    mkdirTree(path: string): void
    writeFile(path: string, data: Uint8Array, options: { canOwn: boolean }): void
    readonly filesystems: {
      readonly NODEFS: { stream_ops: { fsync?: (file: OpenFile) => number }; realPath: (node: unknown) => string }
    }
  }
}

/** Returns the address of a function of a loaded library; `name` is the memory address of its name (Emscripten). */
type FindSymbol = (library: number, name: number, index: number) => number

type Instantiate = (imports: { env: { _dlsym_js: FindSymbol } }, done: unknown) => unknown

interface SetupOptions {
  PGLITE_ENV: Record<string, string>
  preRun?: ((server: FileSystems) => void)[]
  instantiateWasm: Instantiate
  /** Available once the server runs. */
  UTF8ToString: (address: number) => string
}

/**
 * Runs `work` with an `Object.keys` that lists an object once, into `lists`: Emscripten lists all exports of a library at each
 * lookup of a symbol, which are 20,000 names and four milliseconds for the geometry library. Its exports do not change.
 */
function withListedKeys<T>(lists: WeakMap<object, string[]>, work: () => T): T {
  const listKeys = Object.keys
  Object.keys = (object: object) => {
    const keys = lists.get(object) ?? listKeys(object)
    lists.set(object, keys)
    return keys
  }
  try {
    return work()
  } finally {
    Object.keys = listKeys
  }
}

/**
 * Makes the lookup of symbols cheap: creating the spatial extension looks up 1,600 functions, and a connection each function
 * that it uses for the first time. The address of a function never changes, so it is cached.
 */
function cacheSymbols(setup: SetupOptions): void {
  const { instantiateWasm } = setup
  setup.instantiateWasm = (imports, done) => {
    const findSymbol = imports.env._dlsym_js
    const symbolAddresses = new Map<string, number>()
    const keyLists = new WeakMap<object, string[]>()
    imports.env._dlsym_js = (library, name, index) => {
      const key = `${library} ${setup.UTF8ToString(name)}`
      const address = symbolAddresses.get(key) ?? withListedKeys(keyLists, () => findSymbol(library, name, index))
      if (address !== 0) symbolAddresses.set(key, address)
      return address
    }
    return instantiateWasm(imports, done)
  }
}

/** Smaller logs and buffers than the defaults, which are meant for a dedicated server. */
const serverSettings = [
  'wal_sync_method=fsync',
  'max_wal_size=128MB',
  'min_wal_size=32MB',
  'timezone=UTC',
  'datestyle=ISO',
].flatMap((setting) => ['-c', setting])

/** Forwards the server's fsync to the disk; the file system of the compiled server has no fsync without this hook. */
function installFsync(server: FileSystems, onSync: () => void): void {
  const nodeFiles = server.FS.filesystems.NODEFS
  nodeFiles.stream_ops.fsync = (file) => {
    onSync()
    if (file.nfd !== undefined) {
      fs.fdatasyncSync(file.nfd)
      return 0
    }
    const descriptor = fs.openSync(nodeFiles.realPath(file.node), 'r')
    try {
      fs.fsyncSync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
    return 0
  }
}

/** The folder where the compiled server looks for libraries, extensions and projection grids. */
const serverFolder = '/pglite'

/**
 * Places the files of a trimmed bundle in the server's file system without a copy. PGlite itself unpacks the archive and
 * compiles the library up front, which takes most of the time in which a database opens.
 */
function installFiles(archive: Buffer, { FS }: FileSystems): void {
  for (const { name, contents } of selectBundleEntries(archive)) {
    const file = `${serverFolder}/${name}`
    FS.mkdirTree(path.posix.dirname(file))
    FS.writeFile(file, new Uint8Array(contents.buffer, contents.byteOffset, contents.length), { canOwn: true })
  }
}

/** The PGlite engine with PostGIS on one folder, in the calling thread. `onSync` is called for every sync to disk. */
export async function openPgliteDatabaseEngine(options: DatabaseEngineOptions, onSync: () => void): Promise<PGlite> {
  const postgis = {
    name: 'postgis',
    setup: async (_engine: unknown, emscriptenOptions: unknown) => {
      const setup = emscriptenOptions as SetupOptions
      setup.PGLITE_ENV['PROJ_DATA'] = '/pglite/share/proj'
      cacheSymbols(setup)
      const bundle = new URL(options.bundle)
      const archive = bundle.pathname.endsWith('.tar') ? fs.readFileSync(bundle) : null
      setup.preRun = [...(setup.preRun ?? [])]
      if (options.durable) setup.preRun.push((server) => installFsync(server, onSync))
      if (archive) setup.preRun.push((server) => installFiles(archive, server))
      return { emscriptenOpts: setup, ...(archive ? {} : { bundlePath: bundle }) }
    },
  }
  // -F disables the server's own fsync.
  const startParams = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F' || !options.durable)
  const storage = options.storage === 'memory' ? { fs: createMemoryFileSystem(options.dir) } : { dataDir: options.dir }
  const buffers = ['-c', `shared_buffers=${options.storage === 'memory' ? '16MB' : '64MB'}`]
  return PGlite.create({
    ...storage,
    ...(options.create ? { loadDataDir: await dataDir() } : {}),
    extensions: { postgis },
    startParams: [...startParams, ...serverSettings, ...buffers],
  })
}
