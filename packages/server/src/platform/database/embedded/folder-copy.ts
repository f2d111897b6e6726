import fs from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { PGliteOptions } from '@electric-sql/pglite'

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
export function createMemoryFileSystem(dir: string): NonNullable<PGliteOptions['fs']> {
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
