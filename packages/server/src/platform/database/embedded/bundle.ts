import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import zlib from 'node:zlib'

const blockSize = 512

/** The PostGIS files that the server needs: vector functions, projections, and the script that creates the extension. */
const wanted: readonly RegExp[] = [
  /^lib\/postgresql\/postgis-3\.so$/,
  /^share\/proj\/proj\.(db|ini)$/,
  /^share\/postgresql\/extension\/postgis\.control$/,
  /^share\/postgresql\/extension\/postgis--\d+\.\d+\.\d+\.sql$/,
]

const readText = (block: Buffer, start: number, length: number): string =>
  block.toString('latin1', start, start + length).split('\0', 1)[0] ?? ''

interface ArchiveEntry {
  readonly name: string
  readonly contents: Buffer
  /** Including header and padding. */
  readonly whole: Buffer
}

/** The files of a tar archive (POSIX ustar: 512-byte headers, contents padded to 512). Throws if an entry has no size. */
function* entriesOf(archive: Buffer): Generator<ArchiveEntry> {
  for (let at = 0; at + blockSize <= archive.length;) {
    const header = archive.subarray(at, at + blockSize)
    const name = readText(header, 0, 100)
    if (name === '') return
    const size = Number.parseInt(readText(header, 124, 12).trim() || '0', 8)
    if (!Number.isSafeInteger(size) || size < 0) throw new Error(`the archive entry ${name} has no size`)
    const start = at + blockSize
    if (start + size > archive.length) throw new Error(`the archive ends inside ${name}`)
    const end = start + Math.ceil(size / blockSize) * blockSize
    yield { name, contents: archive.subarray(start, start + size), whole: archive.subarray(at, end) }
    at = end
  }
}

/** The wanted files of a tar archive, copied with their headers. Throws if the archive has another layout. */
export const trimArchive = (archive: Buffer): Buffer =>
  Buffer.concat([...wantedEntries(archive).map(({ whole }) => whole), Buffer.alloc(2 * blockSize)])

/** Throws if a wanted file is missing. */
export function wantedEntries(archive: Buffer): ArchiveEntry[] {
  const entries = [...entriesOf(archive)].filter(({ name }) => wanted.some((pattern) => pattern.test(name)))
  const isThere = (pattern: RegExp): boolean => entries.some(({ name }) => pattern.test(name))
  if (!wanted.every(isThere)) throw new Error('the archive lacks a file that the spatial extension needs')
  return entries
}

const packageFile = (name: string, file: string): string =>
  path.resolve(path.dirname(fileURLToPath(import.meta.resolve(name))), file)

const versionOf = (name: string): string => {
  const { version } = JSON.parse(fs.readFileSync(packageFile(name, '../package.json'), 'utf8')) as { version: string }
  return version
}

export const engineVersion = (): string => versionOf('@electric-sql/pglite')
export const postgisVersion = (): string => versionOf('@electric-sql/pglite-postgis')

/** The bundle as its package ships it: always works, but takes twice the time and memory to open. */
export const stockBundle = (): string =>
  pathToFileURL(packageFile('@electric-sql/pglite-postgis', 'postgis.tar.gz')).href

/** The trimmed bundle in the cache, created if missing; the packaged one if that fails. Returns a file URL. */
export function smallBundle(cacheDir: string, onFault: (error: unknown) => void): string {
  // Not compressed: unpacking would take longer than the rest of the startup.
  const file = path.join(cacheDir, `postgis-${postgisVersion()}.tar`)
  if (fs.existsSync(file)) return pathToFileURL(file).href
  const unfinished = `${file}.tmp-${process.pid}`
  try {
    const stock = zlib.gunzipSync(fs.readFileSync(fileURLToPath(stockBundle())))
    fs.mkdirSync(cacheDir, { recursive: true })
    fs.writeFileSync(unfinished, trimArchive(stock))
    fs.renameSync(unfinished, file)
    return pathToFileURL(file).href
  } catch (error) {
    if (fs.existsSync(unfinished)) fs.rmSync(unfinished)
    onFault(error)
    return stockBundle()
  }
}
