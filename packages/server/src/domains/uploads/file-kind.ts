import { open } from 'node:fs/promises'
import { Problem } from '../../engine/problem.ts'

/** The kind of a file, determined by its first bytes, never by its name. */
export type FileKind = 'raster' | 'archive' | 'geojson' | 'kml'

const head_bytes = 4096

const translate = 'Convert it to GeoTIFF first, for example with gdal_translate, and upload the result.'
const pack = 'Extract it, and upload the files or a ZIP of them.'
const vectors = 'Convert it to GeoJSON first, for example with ogr2ogr, and upload the result.'

/** The signatures of accepted kinds: bytes in Latin-1 at an offset. */
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

/** The signatures of known kinds that are not accepted, with advice. */
const refused: readonly (readonly [name: string, at: number, bytes: string, advice: string])[] = [
  ['a PNG image without georeferencing', 0, '\x89PNG', translate],
  ['a JPEG image without georeferencing', 0, '\xff\xd8\xff', translate],
  ['a GIF image', 0, 'GIF8', translate],
  ['a WebP image', 8, 'WEBP', translate],
  ['HDF5 or NetCDF 4', 0, '\x89HDF', translate],
  ['NetCDF', 0, 'CDF', translate],
  ['HDF4', 0, '\x0e\x03\x13\x01', translate],
  ['NITF', 0, 'NITF', translate],
  ['GRIB', 0, 'GRIB', translate],
  ['an ERDAS Imagine file', 0, 'EHFA_HEADER_TAG', translate],
  ['MrSID', 0, 'msid', translate],
  ['a GDAL virtual raster, whose pixels are in other files', 0, '<VRTDataset', translate],
  ['a point cloud', 0, 'LASF', 'Point clouds are not accepted; upload a raster made from it.'],
  ['a database or GeoPackage', 0, 'SQLite format 3', vectors],
  ['GeoParquet', 0, 'PAR1', vectors],
  ['FlatGeobuf', 0, 'fgb', vectors],
  ['one file of a shapefile', 0, '\0\0\x27\x0a', 'Upload its .shp, .shx, .dbf and .prj together in one ZIP.'],
  [
    'a dBASE table',
    0,
    '\x03',
    'If it belongs to a shapefile, upload its .shp, .shx, .dbf and .prj together in one ZIP.',
  ],
  ['a PDF', 0, '%PDF', translate],
  ['compressed with gzip', 0, '\x1f\x8b', pack],
  ['compressed with bzip2', 0, 'BZh', pack],
  ['compressed with xz', 0, '\xfd7zXZ', pack],
  ['a 7z archive', 0, '7z\xbc\xaf', pack],
  ['a RAR archive', 0, 'Rar!', pack],
  ['a tar archive', 257, 'ustar', pack],
]

export const takenKinds = 'GeoTIFF, JPEG 2000, GeoJSON, KML, and ZIP archives of these or of shapefiles'

/** The kind of a local file. Throws `unsupported-raster` with the name of a kind that is not accepted. */
export async function fileKind(path: string): Promise<FileKind> {
  const head = await headOf(path)
  const text = head.toString('latin1')
  if (head.length === 0) throw new Problem('unsupported-raster', 'The file is empty. Upload it again.')
  const kind = taken.find(([, at, bytes]) => text.startsWith(bytes, at))?.[0] ?? kindOfText(text)
  if (kind) return kind
  const known = refused.find(([, at, bytes]) => text.startsWith(bytes, at))
  if (known) throw new Problem('unsupported-raster', `The file is ${known[0]}. ${known[3]}`)
  throw new Problem('unsupported-raster', `The file format is not supported. Supported are ${takenKinds}.`)
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
