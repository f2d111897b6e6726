import { entryBytes, type ArchiveEntry } from '../../../platform/archives/read-archive.ts'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorLimits } from '../vector-file.ts'
import { byteReader } from './byte-reader.ts'
import { dbfRecords } from './dbf-records.ts'
import type { RawFeature, RawFeatures } from './raw-feature.ts'
import { shpRecords } from './shp-records.ts'

/** The files of one layer by extension. */
export type ShapefileParts = Readonly<Partial<Record<'shp' | 'dbf' | 'prj' | 'cpg', ArchiveEntry>>>

const limit_text_bytes = 64 * 1024

/** The features of a shapefile: shapes and rows joined, one at a time in memory. */
export async function readShapefile(parts: ShapefileParts, limits: VectorLimits): Promise<RawFeatures> {
  const { shp, dbf } = parts
  if (!shp || !dbf) {
    const missing = shp ? '.dbf' : '.shp'
    throw new VectorFailure(
      'damaged',
      `The archive has no ${missing} file for the shapefile. Include all of its files.`,
    )
  }
  const wkt = await smallText(parts.prj)
  if (wkt === null) {
    throw new VectorFailure(
      'no_place',
      'The shapefile has no .prj file, which defines its coordinate reference system. Include it.',
    )
  }
  const codePage = await smallText(parts.cpg)
  return { crs: { wkt }, features: sideBySide(shp, dbf, codePage, limits) }
}

async function smallText(entry: ArchiveEntry | undefined): Promise<string | null> {
  if (!entry || entry.size > limit_text_bytes) return null
  return (await entryBytes(entry)).toString('utf8').replace(/^\uFEFF/, '')
}

async function* sideBySide(
  shp: ArchiveEntry,
  dbf: ArchiveEntry,
  codePage: string | null,
  limits: VectorLimits,
): AsyncGenerator<RawFeature> {
  const files = [byteReader(shp.open(), shp.name), byteReader(dbf.open(), dbf.name)] as const
  try {
    const rows = dbfRecords(files[1], dbf.name, codePage)
    for await (const geometry of shpRecords(files[0], shp.name, limits.feature_bytes)) {
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
