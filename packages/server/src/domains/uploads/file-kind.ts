import { open } from 'node:fs/promises'
import { Problem } from '../../engine/problem.ts'

/** The kind of a file, determined by its first bytes, never by its name. */
export type UploadFileKind = 'raster' | 'archive' | 'geojson' | 'kml'

const head_bytes = 4096

const rasterAdvice = 'Convert it to GeoTIFF first, for example with gdal_translate, and upload the result.'
const archiveAdvice = 'Extract it, and upload the files or a ZIP of them.'
const vectorAdvice = 'Convert it to GeoJSON first, for example with ogr2ogr, and upload the result.'

/** The signatures of accepted kinds: bytes in Latin-1 at an offset. */
const acceptedSignatures: readonly (readonly [kind: UploadFileKind, at: number, bytes: string])[] = [
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
const rejectedSignatures: readonly (readonly [name: string, at: number, bytes: string, advice: string])[] = [
  ['a PNG image without georeferencing', 0, '\x89PNG', rasterAdvice],
  ['a JPEG image without georeferencing', 0, '\xff\xd8\xff', rasterAdvice],
  ['a GIF image', 0, 'GIF8', rasterAdvice],
  ['a WebP image', 8, 'WEBP', rasterAdvice],
  ['HDF5 or NetCDF 4', 0, '\x89HDF', rasterAdvice],
  ['NetCDF', 0, 'CDF', rasterAdvice],
  ['HDF4', 0, '\x0e\x03\x13\x01', rasterAdvice],
  ['NITF', 0, 'NITF', rasterAdvice],
  ['GRIB', 0, 'GRIB', rasterAdvice],
  ['an ERDAS Imagine file', 0, 'EHFA_HEADER_TAG', rasterAdvice],
  ['MrSID', 0, 'msid', rasterAdvice],
  ['a GDAL virtual raster, whose pixels are in other files', 0, '<VRTDataset', rasterAdvice],
  ['a point cloud', 0, 'LASF', 'Point clouds are not accepted; upload a raster made from it.'],
  ['a database or GeoPackage', 0, 'SQLite format 3', vectorAdvice],
  ['GeoParquet', 0, 'PAR1', vectorAdvice],
  ['FlatGeobuf', 0, 'fgb', vectorAdvice],
  ['one file of a shapefile', 0, '\0\0\x27\x0a', 'Upload its .shp, .shx, .dbf and .prj together in one ZIP.'],
  [
    'a dBASE table',
    0,
    '\x03',
    'If it belongs to a shapefile, upload its .shp, .shx, .dbf and .prj together in one ZIP.',
  ],
  ['a PDF', 0, '%PDF', rasterAdvice],
  ['compressed with gzip', 0, '\x1f\x8b', archiveAdvice],
  ['compressed with bzip2', 0, 'BZh', archiveAdvice],
  ['compressed with xz', 0, '\xfd7zXZ', archiveAdvice],
  ['a 7z archive', 0, '7z\xbc\xaf', archiveAdvice],
  ['a RAR archive', 0, 'Rar!', archiveAdvice],
  ['a tar archive', 257, 'ustar', archiveAdvice],
]

export const acceptedUploadFormats = 'GeoTIFF, JPEG 2000, GeoJSON, KML, and ZIP archives of these or of shapefiles'

/** The kind of a local file. Throws `unsupported-raster` with the name of a kind that is not accepted. */
export async function detectUploadFileKind(path: string): Promise<UploadFileKind> {
  const head = await readHead(path)
  const text = head.toString('latin1')
  if (head.length === 0) throw new Problem('unsupported-raster', 'The file is empty. Upload it again.')
  const kind = acceptedSignatures.find(([, at, bytes]) => text.startsWith(bytes, at))?.[0] ?? detectTextKind(text)
  if (kind) return kind
  const rejected = rejectedSignatures.find(([, at, bytes]) => text.startsWith(bytes, at))
  if (rejected) throw new Problem('unsupported-raster', `The file is ${rejected[0]}. ${rejected[3]}`)
  throw new Problem('unsupported-raster', `The file format is not supported. Supported are ${acceptedUploadFormats}.`)
}

function detectTextKind(text: string): UploadFileKind | null {
  const start = text.replace(/^\u00ef\u00bb\u00bf/, '').trimStart()
  if (start.startsWith('{')) return 'geojson'
  return start.startsWith('<') && /<(?:\w+:)?kml[\s>]/i.test(start) ? 'kml' : null
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.alloc(head_bytes)
    const { bytesRead } = await file.read(bytes, 0, head_bytes, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
