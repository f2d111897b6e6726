import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { openFileSource, openRaster, writeCog, type CogInput } from '@swath/raster'
import { blockToPixelRows } from '@swath/raster/test/pixel-rows.ts'
import type { DeliveredAsset } from '../src/domains/items/deliver.ts'
import type { BandNameOverride } from '../src/domains/items/assets/read-raster-metadata.ts'
import { readRasterMetadata } from '../src/domains/items/assets/read-raster-metadata.ts'
import type { BlobStore } from '../src/platform/blobs/blobs.ts'
import { newId } from '../src/platform/ids.ts'

export interface DecodedPng {
  readonly width: number
  readonly height: number
  readonly channels: number
  /** Interleaved by pixel. */
  readonly data: Uint8Array
  pixelAt(x: number, y: number): number[]
}

const channelsByColourType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

const paethPredictor = (left: number, above: number, upperLeft: number): number => {
  const prediction = left + above - upperLeft
  const [a, b, c] = [Math.abs(prediction - left), Math.abs(prediction - above), Math.abs(prediction - upperLeft)]
  return a <= b && a <= c ? left : b <= c ? above : upperLeft
}

/** Decodes an 8-bit PNG. */
export function decodePng(png: Uint8Array): DecodedPng {
  const bytes = Buffer.from(png)
  const dataChunks: Buffer[] = []
  const palette = { colours: Buffer.alloc(0), alphas: Buffer.alloc(0) }
  let [width, height, colour] = [0, 0, 0]
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const kind = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (kind === 'IHDR') [width, height, colour] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9]!]
    if (kind === 'IDAT') dataChunks.push(body)
    if (kind === 'PLTE') palette.colours = body
    if (kind === 'tRNS') palette.alphas = body
    at += length + 12
  }
  const channels = channelsByColourType[colour] ?? 0
  const raw = inflateSync(Buffer.concat(dataChunks))
  const stride = width * channels
  const data = new Uint8Array(stride * height)
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)]!
    for (let i = 0; i < stride; i++) {
      const target = row * stride + i
      const left = i >= channels ? data[target - channels]! : 0
      const above = row > 0 ? data[target - stride]! : 0
      const upperLeft = row > 0 && i >= channels ? data[target - stride - channels]! : 0
      const prediction = [0, left, above, (left + above) >> 1, paethPredictor(left, above, upperLeft)][filter]!
      data[target] = (raw[row * (stride + 1) + 1 + i]! + prediction) & 255
    }
  }
  return colour === 3
    ? createDecodedPng(width, height, 4, expandPalette(data, palette.colours, palette.alphas))
    : createDecodedPng(width, height, channels, data)
}

function createDecodedPng(width: number, height: number, channels: number, data: Uint8Array): DecodedPng {
  const at = (x: number, y: number) => [...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels)]
  return { width, height, channels, data, pixelAt: at }
}

/** Palette entries without an alpha value are opaque. */
const expandPalette = (indices: Uint8Array, colours: Buffer, alphas: Buffer): Uint8Array =>
  Uint8Array.from({ length: indices.length * 4 }, (_, i) => {
    const index = indices[i >> 2]!
    return (i & 3) === 3 ? (alphas[index] ?? 255) : colours[index * 3 + (i & 3)]!
  })

export const sceneBands: readonly BandNameOverride[] = [
  { name: 'B02', common_name: 'blue' },
  { name: 'B03', common_name: 'green' },
  { name: 'B04', common_name: 'red' },
  { name: 'B08', common_name: 'nir' },
]

const scene_size = 512

/** The value of the test scene at a pixel: each band is a different ramp; 0 (nodata) in the top left corner. */
export const sceneValue = (band: number, column: number, row: number): number =>
  column + row < 100 ? 0 : 100 + band * 1000 + (band % 2 === 0 ? column : row)

/** Four 16-bit bands of 512 × 512 pixels at 10 m in UTM zone 32, with the upper left corner at 600000, 5600000. */
export const sceneInput: CogInput = {
  width: scene_size,
  height: scene_size,
  sampleType: 'uint16',
  bands: sceneBands.map(({ name }) => ({ name, colour: 'undefined', scale: 1, offset: 0 })),
  nodata: 0,
  masked: false,
  georeferencing: {
    affine: [600_000, 10, 0, 5_600_000, 0, -10],
    crs: {
      epsg: 32632,
      proj4: '+proj=utm +zone=32 +datum=WGS84 +units=m',
      name: 'WGS 84 / UTM zone 32N',
      geographic: false,
    },
    geoTags: null,
  },
  readRows: async (top, rows) => {
    const count = scene_size * rows
    const data = new Uint16Array(count * sceneBands.length)
    const mask = new Uint8Array(count)
    for (let pixel = 0; pixel < count; pixel++) {
      const [column, row] = [pixel % scene_size, top + Math.floor(pixel / scene_size)]
      for (let band = 0; band < sceneBands.length; band++) data[band * count + pixel] = sceneValue(band, column, row)
      mask[pixel] = data[pixel] === 0 ? 0 : 255
    }
    return blockToPixelRows({ width: scene_size, height: rows, bands: sceneBands.length, data, mask })
  },
}

/** Encodes an image as COG; returns its bytes. */
export async function encodeCog(input: CogInput): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-cog-'))
  try {
    const { path } = await writeCog(input, join(folder, 'image.tif'))
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Stores a file as an asset to deliver. */
export async function storeFileAsset(
  blobs: BlobStore,
  path: string,
  bands: readonly BandNameOverride[] = [],
): Promise<DeliveredAsset> {
  const id = newId()
  const blob_path = `items/${id}/data.tif`
  const media_type = 'image/tiff; application=geotiff; profile=cloud-optimized'
  const raster = await openRaster(await openFileSource(path))
  const metadata = readRasterMetadata(raster, bands)
  await raster.source.close()
  const bytes = await readFile(path)
  await blobs.putBytes(blob_path, bytes, media_type)
  const checksum_sha256 = createHash('sha256').update(bytes).digest('hex')
  const stored = { blob_path, media_type, file_size_bytes: bytes.length, checksum_sha256 }
  return { id, key: 'data', title: null, roles: ['data'], raster: metadata, ...stored }
}

/** Stores an image as an asset to deliver. */
export async function storeRasterAsset(
  blobs: BlobStore,
  input: CogInput,
  bands: readonly BandNameOverride[],
): Promise<DeliveredAsset> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-cog-'))
  try {
    const { path } = await writeCog(input, join(folder, 'image.tif'))
    return await storeFileAsset(blobs, path, bands)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
