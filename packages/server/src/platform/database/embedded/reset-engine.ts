import type { PGlite } from '@electric-sql/pglite'

/**
 * A node of the in-memory file system of the compiled server (Emscripten MEMFS). A file holds bytes, of which the first
 * `usedBytes` are valid; a folder holds its entries by name.
 */
interface FileNode {
  name: string
  parent: FileNode
  name_next?: FileNode
  mode: number
  mtime: number | Date
  usedBytes?: number
  contents?: Uint8Array | Record<string, FileNode> | null
}

interface OpenStream {
  fd: number | null
  position: number
  flags: number
  node: FileNode
}

/**
 * The internals of the compiled server that a snapshot copies; private to PGlite and Emscripten, hence the pinned version
 * and the test.
 */
interface Internals {
  readonly HEAPU8: Uint8Array
  readonly ___stack_pointer: { value: number }
  readonly FS: {
    readonly root: FileNode
    readonly nameTable: (FileNode | undefined)[]
    readonly streams: (OpenStream | null | undefined)[]
    isDir(mode: number): boolean
    isFile(mode: number): boolean
  }
}

const wasm_page_bytes = 65_536

/** A modification time that no write sets: a file that still has it was not written since the snapshot. */
const unmodified_mtime = 1

/** Restores one node to its state at the snapshot. */
type RestoreNode = () => void

/** Not `slice`, which shares the bytes of a Buffer. */
const copyBytes = (bytes: Uint8Array, length: number): Uint8Array => new Uint8Array(bytes.subarray(0, length))

function snapshotFile(node: FileNode): RestoreNode {
  const { mode, usedBytes = 0 } = node
  const contents = node.contents as Uint8Array | null
  const bytes = contents && copyBytes(contents, usedBytes)
  let current = node.contents
  node.mtime = unmodified_mtime
  return () => {
    node.mode = mode
    if (node.mtime === unmodified_mtime && node.contents === current && node.usedBytes === usedBytes) return
    node.contents = current = bytes && copyBytes(bytes, usedBytes)
    node.usedBytes = usedBytes
    node.mtime = unmodified_mtime
  }
}

function snapshotFolder(node: FileNode): RestoreNode {
  const { mode } = node
  const entries = { ...(node.contents as Record<string, FileNode>) }
  return () => {
    node.mode = mode
    node.contents = { ...entries }
  }
}

/** Every node below `top` and itself; mounted file systems and devices have no entries and end the traversal. */
function* nodesBelow(files: Internals['FS'], top: FileNode): Generator<FileNode> {
  yield top
  if (!files.isDir(top.mode) || typeof top.contents !== 'object') return
  for (const entry of Object.values(top.contents ?? {})) yield* nodesBelow(files, entry as FileNode)
}

function snapshotFiles(files: Internals['FS']): () => void {
  const restores: RestoreNode[] = []
  for (const node of nodesBelow(files, files.root)) {
    const { name, parent, name_next } = node
    if (files.isFile(node.mode)) restores.push(snapshotFile(node))
    else if (files.isDir(node.mode)) restores.push(snapshotFolder(node))
    restores.push(() => Object.assign(node, { name, parent, name_next }))
  }
  const names = [...files.nameTable]
  // `position` and `flags` are accessors of the stream class, so they are read individually.
  const streams = files.streams.map((stream) =>
    stream ? { stream, node: stream.node, position: stream.position, flags: stream.flags } : null,
  )
  return () => {
    for (const restore of restores) restore()
    files.nameTable.splice(0, Infinity, ...names)
    files.streams.length = 0
    for (const [fd, open] of streams.entries()) {
      if (!open) continue
      const { stream, node, position, flags } = open
      files.streams[fd] = Object.assign(stream, { fd, node, position, flags })
    }
  }
}

/**
 * Copies the state of a running engine whose files are in memory: linear memory, stack pointer, files, open files. The
 * returned function restores that state. Call both only between two statements and while the same libraries are loaded:
 * the function table is not copied.
 */
function takeSnapshot(engine: PGlite): () => void {
  const server = engine.Module as unknown as Internals
  const top = server.___stack_pointer.value
  // Most of the memory was never used: pages of zeros are not copied, only cleared.
  const usedLength = countUsedPages(server.HEAPU8) * wasm_page_bytes
  const memoryCopy = server.HEAPU8.slice(0, usedLength)
  const restoreFiles = snapshotFiles(server.FS)
  return () => {
    const { HEAPU8 } = server
    HEAPU8.set(memoryCopy)
    HEAPU8.fill(0, usedLength)
    server.___stack_pointer.value = top
    restoreFiles()
  }
}

/** The number of pages up to the last one with a nonzero byte. */
function countUsedPages(memory: Uint8Array): number {
  const words = new BigUint64Array(memory.buffer, memory.byteOffset, memory.byteLength / 8)
  let usedWords = words.length
  while (usedWords > 0 && words[usedWords - 1] === 0n) usedWords--
  return Math.ceil((usedWords * 8) / wasm_page_bytes)
}

/** Loads the geometry library and the procedural language: a snapshot cannot undo a library that is loaded later. */
const loadLibraries = `
  select st_area(st_transform(st_buffer('SRID=4326;POINT(11 46)'::geometry, 0.1), 3857));
  do $$ begin perform 1; end $$`

const countLibraries = async (engine: PGlite): Promise<unknown> =>
  (await engine.query<{ count: unknown }>('select count(*) as count from pg_get_loaded_modules()')).rows[0]?.count

/**
 * Takes a snapshot of a running engine. The returned function restores it: true if it was restored, false if a library was
 * loaded since, whose functions are not part of the snapshot, so that the engine must be ended.
 */
export async function createDatabaseEngineReset(engine: PGlite): Promise<() => Promise<boolean>> {
  await engine.exec(loadLibraries)
  const loadedCount = await countLibraries(engine)
  const restore = takeSnapshot(engine)
  return async () => {
    // An open or failed transaction, or the role of the last caller, would make the query fail.
    await engine.exec('rollback; reset role')
    const isUnchanged = (await countLibraries(engine)) === loadedCount
    if (isUnchanged) restore()
    return isUnchanged
  }
}
