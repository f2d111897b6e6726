import { open, readFile } from 'node:fs/promises'
import { ArchiveFailure, type ArchiveFailureKind } from '../../../platform/archives/archive-failure.ts'
import { entryBytes, openArchive, type Archive, type ArchiveEntry } from '../../../platform/archives/read-archive.ts'
import { VectorFailure, type VectorFailureKind } from '../vector-failure.ts'
import type { VectorFormat, VectorLimits } from '../vector-file.ts'
import { readGeojson } from './geojson.ts'
import { readKml } from './kml.ts'
import type { RawFeature, RawFeatures } from './raw-feature.ts'
import { readShapefile, type ShapefileParts } from './shapefile.ts'

/** An opened file with features. */
export interface VectorSource extends RawFeatures {
  readonly format: VectorFormat
  close(): void
}

const readable = 'GeoJSON, a zipped shapefile, KML or KMZ'

/** Opens a file by its content, whatever its name. */
export async function openVectors(path: string, limits: VectorLimits): Promise<VectorSource> {
  const head = await firstBytes(path)
  if (head.subarray(0, 2).toString('latin1') === 'PK') return fromArchive(path, limits)
  if (head.length >= 4 && head.readInt32BE(0) === 9994) {
    throw new VectorFailure('not_vector', 'A .shp file alone is not enough. Zip it with its .dbf, .prj and .cpg files.')
  }
  const format = documentFormat(head)
  if (!format) throw new VectorFailure('not_vector', `The file is not ${readable}.`)
  return { ...read[format](await readWhole(path, limits, format), limits), format, close: () => {} }
}

type Document = 'geojson' | 'kml'

const read: Readonly<Record<Document, (bytes: Buffer, limits: VectorLimits) => RawFeatures>> = {
  geojson: readGeojson,
  kml: readKml,
}

/** GeoJSON is parsed one feature at a time, KML as a whole. */
const limitOf = (format: Document, limits: VectorLimits): number =>
  format === 'kml' ? limits.document_bytes : limits.bytes

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(1024)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function documentFormat(head: Buffer): Document | null {
  const text = head.toString('latin1').replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0\x1e]*/, '')
  return text.startsWith('{') ? 'geojson' : text.startsWith('<') ? 'kml' : null
}

async function readWhole(path: string, limits: VectorLimits, format: Document): Promise<Buffer> {
  const file = await open(path)
  try {
    requireSize((await file.stat()).size, limitOf(format, limits))
    return await readFile(file)
  } finally {
    await file.close()
  }
}

function requireSize(size: number, limit: number): void {
  if (size > limit)
    throw new VectorFailure('too_large', `The file has more than ${limit} bytes uncompressed. Split it.`)
}

async function fromArchive(path: string, limits: VectorLimits): Promise<VectorSource> {
  const terms = { entries: 2000, entry_bytes: limits.bytes, total_bytes: 2 * limits.bytes, ratio: 500 }
  const archive = await asVectorFailure(() => openArchive(path, terms))
  try {
    return { ...(await asVectorFailure(() => fromEntries(archive, limits))), close: archive.close }
  } catch (error) {
    archive.close()
    throw error
  }
}

async function fromEntries({ entries }: Archive, limits: VectorLimits): Promise<Omit<VectorSource, 'close'>> {
  const layers = entries.filter(({ name }) => endingOf(name) === 'shp')
  if (layers.length > 1) throw tooMany('shapefiles', layers)
  if (layers[0]) return { ...(await readShapefile(partsOf(layers[0], entries), limits)), format: 'shapefile' }
  const documents = entries.filter(({ name }) => Object.hasOwn(documentEndings, endingOf(name)))
  const formats = new Set(documents.map(({ name }) => documentEndings[endingOf(name)]!))
  const [format] = formats
  if (!format) throw new VectorFailure('not_vector', `The archive contains no ${readable}.`)
  if (formats.size > 1 || (format === 'geojson' && documents.length > 1)) throw tooMany('vector files', documents)
  requireSize(
    documents.reduce((sum, { size }) => sum + size, 0),
    limitOf(format, limits),
  )
  if (format === 'kml') return { crs: null, features: kmlDocuments(documents), format }
  return { ...readGeojson(await entryBytes(documents[0]!), limits), format }
}

/** The features of a KMZ are those of all its documents: the main one may only link the others. */
async function* kmlDocuments(documents: readonly ArchiveEntry[]): AsyncGenerator<RawFeature> {
  for (const document of documents) yield* readKml(await entryBytes(document)).features
}

const documentEndings: Readonly<Record<string, Document>> = {
  kml: 'kml',
  geojson: 'geojson',
  geojsonl: 'geojson',
  geojsons: 'geojson',
  json: 'geojson',
}

const endingOf = (name: string): string => /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
const withoutEnding = (name: string): string => name.replace(/\.[^./]+$/, '').toLowerCase()

const partsOf = (layer: ArchiveEntry, entries: readonly ArchiveEntry[]): ShapefileParts =>
  Object.fromEntries(
    entries
      .filter(({ name }) => withoutEnding(name) === withoutEnding(layer.name))
      .map((entry) => [endingOf(entry.name), entry]),
  )

function tooMany(what: string, entries: readonly ArchiveEntry[]): VectorFailure {
  const names = entries.slice(0, 5).map(({ name }) => `"${name}"`)
  return new VectorFailure(
    'unsupported',
    `The archive contains ${entries.length} ${what} (${names.join(', ')}${entries.length > 5 ? ', …' : ''}). Upload each in its own archive.`,
  )
}

const kinds: Readonly<Record<ArchiveFailureKind, VectorFailureKind>> = {
  not_archive: 'not_vector',
  damaged: 'damaged',
  unsupported: 'unsupported',
  unsafe: 'unsafe',
  too_large: 'too_large',
}

/** Converts archive failures to vector failures. */
export async function asVectorFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ArchiveFailure) throw new VectorFailure(kinds[error.kind], error.message, { cause: error })
    throw error
  }
}
