import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import zlib from 'node:zlib'

const blockSize = 512

/** What the server needs of PostGIS: vector functions and projections, and the script that creates the extension. */
const wanted: readonly RegExp[] = [
  /^lib\/postgresql\/postgis-3\.so$/,
  /^share\/proj\/proj\.(db|ini)$/,
  /^share\/postgresql\/extension\/postgis\.control$/,
  /^share\/postgresql\/extension\/postgis--\d+\.\d+\.\d+\.sql$/,
]

const readText = (block: Buffer, start: number, length: number): string =>
  block.toString('latin1', start, start + length).split('\0', 1)[0] ?? ''

/**
 * The wanted files of a tar archive (POSIX ustar: 512-byte headers, contents padded to 512), copied header and all.
 * Throws where the archive is not laid out as expected.
 */
export function trimArchive(archive: Buffer): Buffer {
  const kept: Buffer[] = []
  const found = new Set<RegExp>()
  for (let at = 0; at + blockSize <= archive.length;) {
    const header = archive.subarray(at, at + blockSize)
    const name = readText(header, 0, 100)
    if (name === '') break
    const size = Number.parseInt(readText(header, 124, 12).trim() || '0', 8)
    if (!Number.isSafeInteger(size) || size < 0) throw new Error(`the archive gives no size for ${name}`)
    const end = at + blockSize + Math.ceil(size / blockSize) * blockSize
    const rule = wanted.find((pattern) => pattern.test(name))
    if (rule) {
      kept.push(archive.subarray(at, end))
      found.add(rule)
    }
    at = end
  }
  if (found.size !== wanted.length) throw new Error('the archive lacks a file that the spatial extension needs')
  return Buffer.concat([...kept, Buffer.alloc(2 * blockSize)])
}

const packageFile = (name: string, file: string): string =>
  path.resolve(path.dirname(fileURLToPath(import.meta.resolve(name))), file)

const versionOf = (name: string): string => {
  const { version } = JSON.parse(fs.readFileSync(packageFile(name, '../package.json'), 'utf8')) as { version: string }
  return version
}

export const engineVersion = (): string => versionOf('@electric-sql/pglite')
export const postgisVersion = (): string => versionOf('@electric-sql/pglite-postgis')

/** The bundle as its package ships it: works always, opens in twice the time and memory. */
export const stockBundle = (): string =>
  pathToFileURL(packageFile('@electric-sql/pglite-postgis', 'postgis.tar.gz')).href

/** The trimmed bundle in the cache, made when it is missing; the stock one where that fails. Returns a file URL. */
export function smallBundle(cacheDir: string, onFault: (error: unknown) => void): string {
  const file = path.join(cacheDir, `postgis-${postgisVersion()}.tar.gz`)
  if (fs.existsSync(file)) return pathToFileURL(file).href
  const unfinished = `${file}.tmp-${process.pid}`
  try {
    const stock = zlib.gunzipSync(fs.readFileSync(fileURLToPath(stockBundle())))
    fs.mkdirSync(cacheDir, { recursive: true })
    fs.writeFileSync(unfinished, zlib.gzipSync(trimArchive(stock), { level: 1 }))
    fs.renameSync(unfinished, file)
    return pathToFileURL(file).href
  } catch (error) {
    if (fs.existsSync(unfinished)) fs.rmSync(unfinished)
    onFault(error)
    return stockBundle()
  }
}
