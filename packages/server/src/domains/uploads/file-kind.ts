import { open } from 'node:fs/promises'
import { Problem } from '../../engine/problem.ts'

/** What is done with a file: by its first bytes, never by its name. */
export type FileKind = 'raster' | 'archive' | 'geojson' | 'kml'

const head_bytes = 4096

const translate = 'Turn it into GeoTIFF first, such as with gdal_translate, and send that.'
const pack = 'Unpack it, and send the files themselves or a ZIP of them.'
const vectors = 'Turn it into GeoJSON first, such as with ogr2ogr, and send that.'

/** Bytes at a place, in Latin-1, of the kinds that are taken. */
const taken: readonly (readonly [kind: FileKind, at: number, bytes: string])[] = [
  ['raster', 0, 'II*\0'],
  ['raster', 0, 'MM\0*'],
  ['raster', 0, 'II+\0'],
  ['raster', 0, 'MM\0+'],
  ['raster', 0, '\0\0\0\x0cjP  \r\n'],
  ['raster', 0, '\xff\x4f\xff\x51'],
  ['archive', 0, 'PK\x03\x04'],
  ['archive', 0, 'PK\x05\x06'],
]

/** The same of kinds that are known and not taken, with what to do. */
const refused: readonly (readonly [name: string, at: number, bytes: string, advice: string])[] = [
  ['a PNG picture, which does not say where it lies', 0, '\x89PNG', translate],
  ['a JPEG picture, which does not say where it lies', 0, '\xff\xd8\xff', translate],
  ['a GIF picture', 0, 'GIF8', translate],
  ['a WebP picture', 8, 'WEBP', translate],
  ['HDF5 or NetCDF 4', 0, '\x89HDF', translate],
  ['NetCDF', 0, 'CDF', translate],
  ['HDF4', 0, '\x0e\x03\x13\x01', translate],
  ['NITF', 0, 'NITF', translate],
  ['GRIB', 0, 'GRIB', translate],
  ['an ERDAS Imagine file', 0, 'EHFA_HEADER_TAG', translate],
  ['MrSID', 0, 'msid', translate],
  ['a GDAL virtual raster, whose pixels lie in other files', 0, '<VRTDataset', translate],
  ['a point cloud', 0, 'LASF', 'Point clouds are not taken; send a raster made of it.'],
  ['a database or GeoPackage', 0, 'SQLite format 3', vectors],
  ['GeoParquet', 0, 'PAR1', vectors],
  ['FlatGeobuf', 0, 'fgb', vectors],
  ['one file of a shapefile', 0, '\0\0\x27\x0a', 'Send its .shp, .shx, .dbf and .prj together in one ZIP.'],
  ['a dBASE table', 0, '\x03', 'Of a shapefile, send its .shp, .shx, .dbf and .prj together in one ZIP.'],
  ['a PDF', 0, '%PDF', translate],
  ['packed with gzip', 0, '\x1f\x8b', pack],
  ['packed with bzip2', 0, 'BZh', pack],
  ['packed with xz', 0, '\xfd7zXZ', pack],
  ['a 7z archive', 0, '7z\xbc\xaf', pack],
  ['a RAR archive', 0, 'Rar!', pack],
  ['a tar archive', 257, 'ustar', pack],
]

export const takenKinds = 'GeoTIFF, JPEG 2000, GeoJSON, KML, and ZIP archives of these or of shapefiles'

/** The kind of a file on this machine. Throws `unsupported-raster` with its name for anything that is not taken. */
export async function fileKind(path: string): Promise<FileKind> {
  const head = await headOf(path)
  const text = head.toString('latin1')
  if (head.length === 0) throw new Problem('unsupported-raster', 'The file is empty. Send it again.')
  const kind = taken.find(([, at, bytes]) => text.startsWith(bytes, at))?.[0] ?? kindOfText(text)
  if (kind) return kind
  const known = refused.find(([, at, bytes]) => text.startsWith(bytes, at))
  if (known) throw new Problem('unsupported-raster', `The file is ${known[0]}. ${known[3]}`)
  throw new Problem('unsupported-raster', `The file is none that can be read: ${takenKinds} are taken.`)
}

function kindOfText(text: string): FileKind | null {
  const begin = text.replace(/^\u00ef\u00bb\u00bf/, '').trimStart()
  if (begin.startsWith('{')) return 'geojson'
  return begin.startsWith('<') && /<(?:\w+:)?kml[\s>]/i.test(begin) ? 'kml' : null
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.alloc(head_bytes)
    const { bytesRead } = await file.read(bytes, 0, head_bytes, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
