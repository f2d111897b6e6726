import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import zlib from 'node:zlib'

const block_bytes = 512

/** The PostGIS files that the server needs: vector functions, projections, and the script that creates the extension. */
const wantedFiles: readonly RegExp[] = [
  /^lib\/postgresql\/postgis-3\.so$/,
  /^share\/proj\/proj\.(db|ini)$/,
  /^share\/postgresql\/extension\/postgis\.control$/,
  /^share\/postgresql\/extension\/postgis--\d+\.\d+\.\d+\.sql$/,
]

const readText = (block: Buffer, start: number, length: number): string =>
  block.toString('latin1', start, start + length).split('\0', 1)[0] ?? ''

interface TarEntry {
  readonly name: string
  readonly contents: Buffer
  /** Including header and padding. */
  readonly bytes: Buffer
}

/** The files of a tar archive (POSIX ustar: 512-byte headers, contents padded to 512). Throws if an entry has no size. */
function* readTarEntries(archive: Buffer): Generator<TarEntry> {
  for (let offset = 0; offset + block_bytes <= archive.length;) {
    const header = archive.subarray(offset, offset + block_bytes)
    const name = readText(header, 0, 100)
    if (name === '') return
    const size = Number.parseInt(readText(header, 124, 12).trim() || '0', 8)
    if (!Number.isSafeInteger(size) || size < 0) throw new Error(`the archive entry ${name} has no size`)
    const start = offset + block_bytes
    if (start + size > archive.length) throw new Error(`the archive ends inside ${name}`)
    const end = start + Math.ceil(size / block_bytes) * block_bytes
    yield { name, contents: archive.subarray(start, start + size), bytes: archive.subarray(offset, end) }
    offset = end
  }
}

/** The wanted files of a tar archive, copied with their headers. Throws if the archive has another layout. */
export const trimPostgisBundle = (archive: Buffer): Buffer =>
  Buffer.concat([...selectBundleEntries(archive).map(({ bytes }) => bytes), Buffer.alloc(2 * block_bytes)])

/** Throws if a wanted file is missing. */
export function selectBundleEntries(archive: Buffer): TarEntry[] {
  const entries = [...readTarEntries(archive)].filter(({ name }) => wantedFiles.some((pattern) => pattern.test(name)))
  const isPresent = (pattern: RegExp): boolean => entries.some(({ name }) => pattern.test(name))
  if (!wantedFiles.every(isPresent)) throw new Error('the archive lacks a file that the spatial extension needs')
  return entries
}

const packageFile = (name: string, file: string): string =>
  path.resolve(path.dirname(fileURLToPath(import.meta.resolve(name))), file)

const readPackageVersion = (name: string): string => {
  const { version } = JSON.parse(fs.readFileSync(packageFile(name, '../package.json'), 'utf8')) as { version: string }
  return version
}

export const readPgliteVersion = (): string => readPackageVersion('@electric-sql/pglite')
export const readPostgisVersion = (): string => readPackageVersion('@electric-sql/pglite-postgis')

/** The bundle as its package ships it: always works, but takes twice the time and memory to open. */
export const getPackagedPostgisBundleUrl = (): string =>
  pathToFileURL(packageFile('@electric-sql/pglite-postgis', 'postgis.tar.gz')).href

/** The trimmed bundle in the cache, created if missing; the packaged one if that fails. Returns a file URL. */
export function ensureTrimmedPostgisBundle(cacheDir: string, onError: (error: unknown) => void): string {
  // Not compressed: unpacking would take longer than the rest of the startup.
  const file = path.join(cacheDir, `postgis-${readPostgisVersion()}.tar`)
  if (fs.existsSync(file)) return pathToFileURL(file).href
  const unfinished = `${file}.tmp-${process.pid}`
  try {
    const stock = zlib.gunzipSync(fs.readFileSync(fileURLToPath(getPackagedPostgisBundleUrl())))
    fs.mkdirSync(cacheDir, { recursive: true })
    fs.writeFileSync(unfinished, trimPostgisBundle(stock))
    fs.renameSync(unfinished, file)
    return pathToFileURL(file).href
  } catch (error) {
    if (fs.existsSync(unfinished)) fs.rmSync(unfinished)
    onError(error)
    return getPackagedPostgisBundleUrl()
  }
}
