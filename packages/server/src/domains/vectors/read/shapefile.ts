import { readArchiveEntry, type ZipFileEntry } from '../../../platform/zip/read-zip.ts'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorLimits } from '../vector-file.ts'
import { createByteReader } from './byte-reader.ts'
import { readDbfRows } from './dbf-records.ts'
import type { RawFeature, RawFeatures } from './raw-feature.ts'
import { readShapes } from './shp-records.ts'

/** The files of one layer by extension. */
export type ShapefileEntries = Readonly<Partial<Record<'shp' | 'dbf' | 'prj' | 'cpg', ZipFileEntry>>>

const max_text_bytes = 64 * 1024

/** The features of a shapefile: shapes and rows joined, one at a time in memory. */
export async function readShapefile(entries: ShapefileEntries, limits: VectorLimits): Promise<RawFeatures> {
  const { shp, dbf } = entries
  if (!shp || !dbf) {
    const missing = shp ? '.dbf' : '.shp'
    throw new VectorFailure(
      'damaged',
      `The archive has no ${missing} file for the shapefile. Include all of its files.`,
    )
  }
  const wkt = await readSmallText(entries.prj)
  if (wkt === null) {
    throw new VectorFailure(
      'no_place',
      'The shapefile has no .prj file, which defines its coordinate reference system. Include it.',
    )
  }
  const codePage = await readSmallText(entries.cpg)
  return { crs: { wkt }, features: joinShapesAndRows(shp, dbf, codePage, limits) }
}

async function readSmallText(entry: ZipFileEntry | undefined): Promise<string | null> {
  if (!entry || entry.size > max_text_bytes) return null
  return (await readArchiveEntry(entry)).toString('utf8').replace(/^\uFEFF/, '')
}

async function* joinShapesAndRows(
  shp: ZipFileEntry,
  dbf: ZipFileEntry,
  codePage: string | null,
  limits: VectorLimits,
): AsyncGenerator<RawFeature> {
  const files = [createByteReader(shp.open(), shp.name), createByteReader(dbf.open(), dbf.name)] as const
  try {
    const rows = readDbfRows(files[1], dbf.name, codePage)
    for await (const geometry of readShapes(files[0], shp.name, limits.feature_bytes)) {
      const { value, done } = await rows.next()
      if (done) {
        throw new VectorFailure(
          'damaged',
          `"${shp.name}" has more shapes than "${dbf.name}" has rows. Export it again.`,
        )
      }
      if (value !== null) yield { geometry, properties: value }
    }
  } finally {
    for (const file of files) file.close()
  }
}
