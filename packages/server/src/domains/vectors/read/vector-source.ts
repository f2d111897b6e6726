import { open, readFile } from 'node:fs/promises'
import { ZipFailure, type ZipFailureKind } from '../../../platform/zip/zip-failure.ts'
import { readArchiveEntry, openZipArchive, type ZipArchive, type ZipFileEntry } from '../../../platform/zip/read-zip.ts'
import { VectorFailure, type VectorFailureKind } from '../vector-failure.ts'
import type { VectorFormat, VectorLimits } from '../vector-file.ts'
import { readGeojson } from './geojson.ts'
import { readKml } from './kml.ts'
import type { RawFeature, RawFeatures } from './raw-feature.ts'
import { readShapefile, type ShapefileEntries } from './shapefile.ts'

/** An opened file with features. */
export interface VectorSource extends RawFeatures {
  readonly format: VectorFormat
  close(): void
}

const supportedFormats = 'GeoJSON, a zipped shapefile, KML or KMZ'

/** Opens a file by its content, whatever its name. */
export async function openVectorSource(path: string, limits: VectorLimits): Promise<VectorSource> {
  const head = await readHead(path)
  if (head.subarray(0, 2).toString('latin1') === 'PK') return openVectorArchive(path, limits)
  if (head.length >= 4 && head.readInt32BE(0) === 9994) {
    throw new VectorFailure('not_vector', 'A .shp file alone is not enough. Zip it with its .dbf, .prj and .cpg files.')
  }
  const format = documentFormat(head)
  if (!format) throw new VectorFailure('not_vector', `The file is not ${supportedFormats}.`)
  return { ...readerByFormat[format](await readDocument(path, limits, format), limits), format, close: () => {} }
}

type DocumentFormat = 'geojson' | 'kml'

const readerByFormat: Readonly<Record<DocumentFormat, (bytes: Buffer, limits: VectorLimits) => RawFeatures>> = {
  geojson: readGeojson,
  kml: readKml,
}

/** GeoJSON is parsed one feature at a time, KML as a whole. */
const maxDocumentBytes = (format: DocumentFormat, limits: VectorLimits): number =>
  format === 'kml' ? limits.document_bytes : limits.bytes

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(1024)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function documentFormat(head: Buffer): DocumentFormat | null {
  const text = head.toString('latin1').replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0\x1e]*/, '')
  return text.startsWith('{') ? 'geojson' : text.startsWith('<') ? 'kml' : null
}

async function readDocument(path: string, limits: VectorLimits, format: DocumentFormat): Promise<Buffer> {
  const file = await open(path)
  try {
    requireMaxSize((await file.stat()).size, maxDocumentBytes(format, limits))
    return await readFile(file)
  } finally {
    await file.close()
  }
}

function requireMaxSize(size: number, limit: number): void {
  if (size > limit)
    throw new VectorFailure('too_large', `The file has more than ${limit} bytes uncompressed. Split it.`)
}

async function openVectorArchive(path: string, limits: VectorLimits): Promise<VectorSource> {
  const archiveLimits = {
    max_entries: 2000,
    max_entry_bytes: limits.bytes,
    max_total_bytes: 2 * limits.bytes,
    max_compression_ratio: 500,
  }
  const archive = await rethrowAsVectorFailure(() => openZipArchive(path, archiveLimits))
  try {
    return { ...(await rethrowAsVectorFailure(() => readEntries(archive, limits))), close: archive.close }
  } catch (error) {
    archive.close()
    throw error
  }
}

async function readEntries({ entries }: ZipArchive, limits: VectorLimits): Promise<Omit<VectorSource, 'close'>> {
  const layers = entries.filter(({ name }) => extensionOf(name) === 'shp')
  if (layers.length > 1) throw tooManyLayers('shapefiles', layers)
  if (layers[0])
    return { ...(await readShapefile(findShapefileEntries(layers[0], entries), limits)), format: 'shapefile' }
  const documents = entries.filter(({ name }) => Object.hasOwn(formatByExtension, extensionOf(name)))
  const formats = new Set(documents.map(({ name }) => formatByExtension[extensionOf(name)]!))
  const [format] = formats
  if (!format) throw new VectorFailure('not_vector', `The archive contains no ${supportedFormats}.`)
  if (formats.size > 1 || (format === 'geojson' && documents.length > 1)) throw tooManyLayers('vector files', documents)
  requireMaxSize(
    documents.reduce((sum, { size }) => sum + size, 0),
    maxDocumentBytes(format, limits),
  )
  const notes = new Set<string>()
  if (format === 'kml') return { crs: null, features: kmlDocuments(documents, limits, notes), notes, format }
  return { ...readGeojson(await readArchiveEntry(documents[0]!), limits), format }
}

/** The features of a KMZ are those of all its documents: the main one may only link the others. */
async function* kmlDocuments(
  documents: readonly ZipFileEntry[],
  limits: VectorLimits,
  notes: Set<string>,
): AsyncGenerator<RawFeature> {
  for (const document of documents) {
    const read = readKml(await readArchiveEntry(document), limits)
    yield* read.features
    for (const note of read.notes) notes.add(note)
  }
}

const formatByExtension: Readonly<Record<string, DocumentFormat>> = {
  kml: 'kml',
  geojson: 'geojson',
  geojsonl: 'geojson',
  geojsons: 'geojson',
  json: 'geojson',
}

const extensionOf = (name: string): string => /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
const nameWithoutExtension = (name: string): string => name.replace(/\.[^./]+$/, '').toLowerCase()

const findShapefileEntries = (layer: ZipFileEntry, entries: readonly ZipFileEntry[]): ShapefileEntries =>
  Object.fromEntries(
    entries
      .filter(({ name }) => nameWithoutExtension(name) === nameWithoutExtension(layer.name))
      .map((entry) => [extensionOf(entry.name), entry]),
  )

function tooManyLayers(noun: string, entries: readonly ZipFileEntry[]): VectorFailure {
  const names = entries.slice(0, 5).map(({ name }) => `"${name}"`)
  return new VectorFailure(
    'unsupported',
    `The archive contains ${entries.length} ${noun} (${names.join(', ')}${entries.length > 5 ? ', …' : ''}). Upload each in its own archive.`,
  )
}

const kindByArchiveFailure: Readonly<Record<ZipFailureKind, VectorFailureKind>> = {
  not_archive: 'not_vector',
  damaged: 'damaged',
  unsupported: 'unsupported',
  unsafe: 'unsafe',
  too_large: 'too_large',
}

/** Runs `work`; a failure of the archive is thrown as the failure of the vector file that it contains. */
export async function rethrowAsVectorFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ZipFailure)
      throw new VectorFailure(kindByArchiveFailure[error.kind], error.message, { cause: error })
    throw error
  }
}
